"""`cables.csv`: one row per cable, with the columns of the published point-to-point workbooks of which other tables are projections.

RFC 4180 quoting, UTF-8 without a byte order mark, lines end in LF. Columns that only the physical stage can know (racks, lengths, part numbers,
labels) are there and empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import attrs

from topolang.backends.cables.columns import COLUMNS, columns
from topolang.backends.cables.formulas import check_cells
from topolang.backends.model import Built, Output


@attrs.frozen
class Cables:
    """The cable table. It is written even if there are no cables: then it is its heading."""

    name: str = "cables"
    files: str = "cables.csv"
    needs: tuple[str, ...] = ("links", "nodes")

    def emit(self, result: Built, out: Output) -> None:
        """Write the table; T0905 where a name would be taken for a formula by a spreadsheet."""
        check_cells(result.design)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for bundle in result.design.bundles:
            writer.writerows(_rows(columns(result, bundle)))
        out.write("cables.csv", text.getvalue())


def _rows(cells: dict[str, Iterable[object]]) -> Iterable[tuple[object, ...]]:
    return zip(*(cells[name] for name in COLUMNS), strict=False)
