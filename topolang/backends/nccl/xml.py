"""The text of NCCL topology files.

NCCL reads them with a small parser of its own (NVIDIA/nccl, src/graph/xml.cc), not with an XML library: no declaration, no tabs, no text between
elements, one line per tag, double quotes, entities not decoded, at most 253 characters per value and 255 elements per host.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

VALUE_LIMIT: Final = 253
ELEMENT_LIMIT: Final = 255


@attrs.frozen
class Element:
    """An element with its attributes in the order of writing.

    ``filled`` is the number of elements that NCCL adds below it by itself (the GPU, its NVLinks, the NIC and its ports).
    """

    name: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Element, ...] = ()
    filled: int = 0

    def walk(self) -> Iterator[Element]:
        """Yield the element and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def total(self) -> int:
        """The number of elements once NCCL has filled in its own."""
        return sum(1 + element.filled for element in self.walk())


def render(root: Element) -> str:
    """Return the text of a file: two blanks per level, lines end in LF."""
    return "".join(f"{line}\n" for line in _lines(root, 0))


def _lines(element: Element, depth: int) -> Iterator[str]:
    head = "  " * depth + f"<{element.name}" + "".join(f' {name}="{value}"' for name, value in element.attributes)
    if not element.children:
        yield f"{head}/>"
        return
    yield f"{head}>"
    for child in element.children:
        yield from _lines(child, depth + 1)
    yield "  " * depth + f"</{element.name}>"
