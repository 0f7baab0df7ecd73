"""Texts of T01: values, types and units."""

from __future__ import annotations

from topolang.diagnostics.catalogue.model import Code
from topolang.diagnostics.catalogue.samples import LAN, changed

CODES: tuple[Code, ...] = (
    Code(
        "T0101",
        "an operator cannot combine these two types",
        "error",
        "Both sides of `+`, `-` and of a comparison measure the same thing: two rates, two lengths, two numbers. `Gb/s` and `GB/s` are both rates "
        "and may be mixed; a rate and a length may not. The message names the type of each side.",
        "topolang 1\nlet reach = 3m + 400Gb/s\ndesign d(x: length = reach) {\n}",
        "topolang 1\nlet reach = 3m + 40cm\ndesign d(x: length = reach) {\n}",
    ),
    Code(
        "T0102",
        "a unit is unknown or ambiguous",
        "error",
        "Units are part of the language: `400Gb/s`, `50GB/s`, `3m`, `44kW`. `400G` is refused, because it could be bits or bytes, one direction or "
        "both: write `400Gb/s` for a line rate and `50GB/s` for bytes, per direction. `bidir(1.8TB/s)` converts a figure that counts both "
        "directions.",
        changed(LAN, ("    node[n", "    rate = 400G\n    node[n")),
        changed(LAN, ("    node[n", "    rate = 400Gb/s\n    node[n")),
    ),
    Code(
        "T0103",
        "a value has another type than is needed here",
        "error",
        "Parameters, attributes, indices, conditions and the built-in functions each take values of one type. Numbers without a unit are not rates "
        "or lengths, and a unit is never guessed, because a wrong guess is a wrong cable. A `float` takes whole numbers too.",
        changed(LAN, ("    node[n", "    rate = 400\n    node[n")),
        changed(LAN, ("    node[n", "    rate = 400Gb/s\n    node[n")),
    ),
    Code(
        "T0104",
        "a value is outside what is allowed",
        "error",
        "A parameter may say which values it takes: `su: int = 4 in 1..64`, or a list of values. A value outside comes from the default, from an "
        "argument or from `-D` on the command line; both ends of a range are included. Rates of ports are above 0, and a cage splits into 2 to 16 "
        "ports.",
        "topolang 1\ndesign d(su: int = 9 in 1..4) {\n}",
        "topolang 1\ndesign d(su: int = 4 in 1..4) {\n}",
    ),
    Code(
        "T0105",
        "a function or metric is called with the wrong arguments",
        "error",
        "Every built-in function and every metric takes a fixed number of arguments of a fixed kind: `log2(64)`, `count(node.gpu)`, "
        "`nonblocking(compute)`. On the indices of dimensions only `min`, `max` and `abs` can be applied, beside `div` and `mod`.",
        "topolang 1\ndesign d(x: int = log2(64, 2)) {\n}",
        "topolang 1\ndesign d(x: int = log2(64)) {\n}",
    ),
    Code(
        "T0106",
        "a division by zero",
        "error",
        "The right side of `/`, `div` or `mod` is 0. Often a parameter or a count is 0 where the program expects at least one of something; a "
        "range on the parameter (`in 1..64`) says so where the mistake is made.",
        "topolang 1\ndesign d(x: int = 8 div 0) {\n}",
        "topolang 1\ndesign d(x: int = 8 div 2) {\n}",
    ),
    Code(
        "T0107",
        "a number is too large, or cannot be computed for every index",
        "error",
        "Conditions and selectors on dimensions are computed for all index tuples at once, in 64-bit integers. Before that the compiler proves "
        "that nothing can overflow, that no divisor is 0 and that no list is indexed beyond its end for any index. Limit the range of the "
        "dimension, or change the expression.",
        changed(LAN, ("-- sw.p", "-- sw.p where 8 div (n - 2) >= 1")),
        changed(LAN, ("-- sw.p", "-- sw.p where 8 div n >= 1")),
    ),
    Code(
        "T0108",
        "an unknown type",
        "error",
        "The types are `int`, `float`, `bool`, `string`, `device`, `rate`, `length`, `rack_units`, `power`, `money`, `time`, `mass`, `capacity`, "
        "`temperature`, `count`, `percent` and a few more, and `list of` any of them. The message names the nearest one.",
        "topolang 1\ndesign d(cap: powr = 44kW) {\n}",
        "topolang 1\ndesign d(cap: power = 44kW) {\n}",
    ),
)
