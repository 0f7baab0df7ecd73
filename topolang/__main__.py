"""``python -m topolang`` is ``topoc``."""

from topolang.cli import run

if __name__ == "__main__":
    run()
