"""The text side of the compiler: grammar, parser, syntax tree."""
