"""Texts of T00: files and syntax."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0001",
        "a file cannot be read",
        "error",
        "The file does not exist, is not a file, or may not be opened; the message gives the system's reason. Paths on the command line are "
        "relative to the working folder.",
    ),
    Code(
        "T0002",
        "a file is too large",
        "error",
        "Programs state rules, not lists, so even a cluster of a hundred thousand GPUs takes some dozens of lines. A file of more than 8 MiB is "
        "hardly a program. If it is one, split it into files that import each other.",
    ),
    Code(
        "T0003",
        "a file is not UTF-8 text",
        "error",
        "Programs are UTF-8 text; a byte order mark at the start is accepted. The message gives the first byte that does not fit and its line. "
        "Editors call the setting `encoding`: save the file as UTF-8.",
    ),
    Code(
        "T0004",
        "the file does not state its edition",
        "warning",
        "A program begins with `topolang 1`, the edition of the language it is written in. A later edition may change the language, and the line "
        "keeps this file meaning what it means now.",
        changed(LAN, ("topolang 1\n", "")),
        LAN,
    ),
    Code(
        "T0005",
        "the edition line is wrong",
        "error",
        "The line `topolang 1` comes first, once, and names an edition that this compiler knows. A file of a later edition needs a later compiler.",
        changed(LAN, ("topolang 1", "topolang 7")),
        LAN,
    ),
    Code(
        "T0006",
        "a file of another format",
        "error",
        "`.topo` is also the suffix of InfiniBand topology files (ibdiagnet, UFM) and of topology files of the simulator htsim, and files of other "
        "tools get the name by mistake. The message says what this one looks like. It is not a program of this language.",
        "DGX NODE-1\n    P1 -4x-100G-> MQM9700 leaf-1 P1\n\nMQM9700 leaf-1\n    P33 -4x-100G-> MQM9700 spine-1 P1\n",
    ),
    Code(
        "T0007",
        "a binary file",
        "error",
        "Programs are UTF-8 text, and this file holds a character that no text has. Most often another file was named by mistake, for example a "
        "compressed one.",
        "topolang 1\0",
    ),
    Code(
        "T0008",
        "an empty file",
        "error",
        "The file holds nothing, or only blank lines and comments. A program begins with `topolang 1`; `topoc new` writes one to start from.",
    ),
    Code(
        "T0010",
        "something does not fit here",
        "error",
        "The text does not follow the grammar at this place. The message says what was found and what is expected. Reading goes on at the next "
        "statement, so one mistake does not hide others; statements are separated by newlines or commas.",
        changed(LAN, ("connect node.p -- sw.p", "connect node.p -- sw.p times")),
        LAN,
    ),
    Code(
        "T0011",
        "an unknown character",
        "error",
        "The character has no meaning in the language. Texts copied from documents often bring typographic quotes, dashes or invisible blanks, "
        "which look like what is meant; the message names the character.",
        changed(LAN, ("-- sw.p", "-- sw.p §")),
        LAN,
    ),
    Code(
        "T0012",
        "a string is not closed",
        "error",
        'A string begins and ends with a double quote in the same line. A double quote inside is written `\\"`.',
        'topolang 1\nlet mode = "adaptive\ndesign d {\n}',
        'topolang 1\nlet mode = "adaptive"\ndesign d {\n}',
    ),
    Code(
        "T0013",
        "a bracket is never closed",
        "error",
        "A `{`, `[` or `(` has no partner. The message points at the one that most likely misses it, judged by indentation, and at the place where "
        "it could close.",
        changed(LAN, ("sw.p\n  }\n}", "sw.p\n  }")),
        LAN,
    ),
    Code(
        "T0014",
        "a bracket closes nothing",
        "error",
        "This `}`, `]` or `)` has no partner before it. Remove it, or add the bracket that it closes.",
        LAN + "}\n",
        LAN,
    ),
    Code(
        "T0015",
        "a keyword is used as a name",
        "error",
        "Keywords such as `port`, `fabric` or `for` are reserved everywhere, so that a program reads the same in every place. Choose another name; "
        "the message lists the keywords.",
        "topolang 1\nlet place = 3\ndesign d {\n}",
        "topolang 1\nlet places = 3\ndesign d {\n}",
    ),
    Code(
        "T0016",
        "a spelling of another language",
        "error",
        "The language has one spelling for each thing: `and`, `or`, `not`, `==`, double quotes. The message names the one for what is written here.",
        changed(LAN, ("-- sw.p", "-- sw.p where n > 0 && n < 9")),
        changed(LAN, ("-- sw.p", "-- sw.p where n > 0 and n < 9")),
    ),
    Code(
        "T0017",
        "a connect without `--` between its ends",
        "error",
        "A `connect` joins two groups of ports: `connect A -- B`. Two minus signs stand between the ends; a cable has no direction.",
        changed(LAN, ("node.p -- sw.p", "node.p - sw.p")),
        LAN,
    ),
    Code(
        "T0018",
        "a range is written with a colon",
        "error",
        "Ranges are written `first..last`, and both ends belong to them: the 32 ports from 1 to 32 are `1..32`. Half-open slices of other "
        "languages leave the last one out, which is why they are not taken here.",
        changed(LAN, ("-- sw.p", "-- sw.p[1:4]")),
        changed(LAN, ("-- sw.p", "-- sw.p[1..4]")),
    ),
    Code(
        "T0019",
        "a comparison is written `==`",
        "error",
        "`=` gives a value to an attribute or binds a dimension; whether two values are equal is asked with `==`.",
        changed(LAN, ("-- sw.p", "-- sw.p where n > 1 or n = 1")),
        changed(LAN, ("-- sw.p", "-- sw.p where n > 1 or n == 1")),
    ),
    Code(
        "T0021",
        "nested too deep",
        "error",
        "Brackets or operators are nested deeper than any program written by hand. Give inner parts a name with `let`, or move inner blocks to "
        "modules.",
    ),
    Code(
        "T0022",
        "a statement is too long",
        "error",
        "A statement has thousands of words and signs. State the rule with dimensions and `where` instead of a list of all its cases; a list of "
        "cables is data, not a program.",
    ),
    Code(
        "T0023",
        "a number is too long",
        "error",
        "Numbers are exact, and this one has more digits than anything that is measured or counted. Write it with a larger unit, or as a product.",
    ),
    Code(
        "T0024",
        "too many mistakes",
        "error",
        "Reading stopped after many mistakes in one file, because what follows is most likely their consequence. Mend the first ones and check "
        "again.",
    ),
    Code(
        "T0025",
        "an unknown escape in a string",
        "error",
        "A backslash in a string begins an escape, and this one is unknown; the message lists those that exist. A backslash itself is written twice.",
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "rack\\d-{n}" }')),
        changed(LAN, ("node[n: 1..4] : host", 'node[n: 1..4] : host { name = "rack-{n}" }')),
    ),
)
