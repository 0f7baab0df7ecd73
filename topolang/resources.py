"""Where the grammar, the standard library and the examples are found."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path


def library_parts() -> list[str]:
    """Return the dotted names of all part files of the standard library."""
    folder = data_dir("stdlib")
    return [".".join(f.relative_to(folder).with_suffix("").parts) for f in sorted(folder.glob("*/*.topo")) if f.parent.name != "std"]


@lru_cache(maxsize=8)
def data_dir(name: str) -> Path:
    """Return a folder of data: inside the installed package, else beside it in a checkout.

    Raises:
        FileNotFoundError: if there is neither, which means that the installation is damaged.
    """
    package = Path(str(files("topolang")))
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the folder `{name}` is missing from the installation of topolang at {package}; install it again")
