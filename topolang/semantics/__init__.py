"""From the syntax tree to the IR: imports and names, types and units, constant evaluation, the join rule."""
