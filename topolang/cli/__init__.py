"""``topoc``: a thin face over the driver.

Results (findings, summaries, JSON, explanations) go to standard output; progress, usage errors and internal errors to standard error. Exit
codes: 0 clean, 1 the design has errors, 2 the command line is wrong, 130 interrupted.
"""

from topolang.cli.main import main, run

__all__ = ["main", "run"]
