"""Time and memory from source text to a checked design and to written outputs, for fabrics of 1,024 to 100,000 GPUs.

Run by hand: ``python benchmarks/compile.py`` prints a Markdown table. Each stage runs in a fresh process, so peak memory is its own.
Three-tier fabrics are `examples/train_100k.topo` with other parameters; 1,024 GPUs fit two pods of it.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "train_100k.topo"

# GPUs, pods: a pod of the example holds 4,096
SIZES = ((1_024, 1), (8_192, 2), (65_536, 16), (100_000, 25))


def _measure(stage: str, gpus: int, pods: int) -> dict[str, float]:
    """Run one stage in this process and return its wall time in s, peak memory in MB and counts."""
    start = time.perf_counter()
    from topolang import driver

    request = driver.Request(EXAMPLE, defines=(("gpus", str(gpus)), ("pods", str(pods))))
    if stage == "check":
        result = driver.check(request)
        from topolang.ir.tables import link_table, node_table

        assert result.design is not None, result.diagnostics
        links, nodes = len(link_table(result.design)), len(node_table(result.design))
    else:
        with tempfile.TemporaryDirectory() as folder:
            from attrs import evolve

            result = driver.build(evolve(request, out=Path(folder) / "out"))
        assert result.ok, result.diagnostics
        links = nodes = 0
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "peak_mb": peak, "links": links, "nodes": nodes}


def _spawn(stage: str, gpus: int, pods: int) -> dict[str, float]:
    command = [sys.executable, __file__, stage, str(gpus), str(pods)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table."""
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    print("| GPUs | devices | cables | parsed, expanded, checked | peak | all outputs written | peak |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for gpus, pods in SIZES:
        checked, built = _spawn("check", gpus, pods), _spawn("build", gpus, pods)
        row = (
            f"{gpus:,}",
            f"{checked['nodes']:,.0f}",
            f"{checked['links']:,.0f}",
            f"{checked['seconds']:.2f} s",
            f"{checked['peak_mb']:.0f} MB",
            f"{built['seconds']:.1f} s",
            f"{built['peak_mb']:.0f} MB",
        )
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
