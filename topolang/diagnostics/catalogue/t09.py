"""Texts of T09: outputs."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code

CODES: tuple[Code, ...] = (
    Code(
        "T0901",
        "outputs cannot be written",
        "error",
        "The folder for the outputs, or a file in it, cannot be written: a permission, a full disk, a name that is no good. What was there before "
        "is left as it was. Name another folder with `-o`.",
    ),
    Code(
        "T0902",
        "no program draws the pictures",
        "warning",
        "Diagrams are written as DOT text and drawn by Graphviz: the system's `dot` where it is found, else the Python package `graphviz-pure`. "
        "Neither was found, so there are no pictures; everything else is written.",
    ),
    Code(
        "T0903",
        "there is no such output",
        "error",
        "`--only` takes the names of outputs: `graphviz`, `cables`, `bom`, `nccl` and those of installed packages. The message names the nearest "
        "one.",
        usage=True,
    ),
    Code(
        "T0904",
        "files of somebody else are in the way",
        "error",
        "A folder of outputs belongs to the build that wrote it last, as its `manifest.json` says. Here an output would replace a file that no "
        "build wrote, so nothing is touched. Move the files away, or name another folder with `-o`.",
    ),
    Code(
        "T0905",
        "a name would be read as a formula",
        "error",
        "Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula, and control characters break rows apart. A display name in "
        "a table begins with a letter or a digit and holds printable characters only.",
    ),
    Code(
        "T0906",
        "a picture could not be drawn",
        "warning",
        "The Graphviz program failed or took too long for this picture. Its DOT text is written and can be drawn by another program.",
    ),
    Code(
        "T0907",
        "an output of another package failed",
        "error",
        "Packages can add outputs through the entry point `topolang.backends`. This one raised an error of its own, so none of its files is "
        "written. Report it to its authors, or leave the output out with `--only`.",
    ),
    Code(
        "T0908",
        "an output has nothing to say about this design",
        "warning",
        "The output was asked for by name, but the design holds nothing that it writes: for example, NCCL topology files describe servers with "
        "GPUs inside, and the design has none.",
    ),
    Code(
        "T0910",
        "a part has no bus id for the NCCL topology file",
        "warning",
        "NCCL finds GPUs and NICs by their PCI bus ids, so each needs one that is well formed and its own. `busids` on the instance lists them in "
        "the order of its indices; `lspci -D` on a machine of the type shows them.",
    ),
    Code(
        "T0911",
        "a CPU lacks data for the NCCL topology file",
        "warning",
        "NCCL compares the vendor, family and model of a CPU with what it knows, and takes its NUMA mask from the file. Data that are missing or "
        "contradict each other would make it take one CPU for another, so the file is refused.",
    ),
    Code(
        "T0912",
        "the inside of a server cannot stand in an NCCL topology file",
        "warning",
        "The format is a tree: CPUs at the top, PCIe switches below, GPUs and NICs as leaves. An inside with a loop, a part without a way to a CPU "
        "or a part under two parents has no place in it.",
    ),
    Code(
        "T0913",
        "an NCCL topology file would be larger than its reader takes",
        "warning",
        "The parser of NCCL has fixed limits for the number of elements and for the length of values; what goes beyond is cut off without a word. "
        "Leave parts out that no fabric of the design uses.",
    ),
    Code(
        "T0914",
        "NCCL has no word for the speed of a PCIe link",
        "warning",
        "A PCIe link in the file has a generation (`32.0 GT/s PCIe`) and a width of 1 to 16 lanes. The rate declared in the inside of this server "
        "is none of these.",
    ),
    Code(
        "T0915",
        "a server with GPUs has no PCIe links inside",
        "note",
        "The inside of the server holds CPUs and GPUs, but no PCIe fabric joins them, so there is nothing to write for NCCL. It then finds the "
        "links by itself when it runs.",
    ),
)
