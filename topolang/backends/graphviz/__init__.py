"""Pictures: DOT text by own code, and SVG made from it by a Graphviz program.

Nodes have generated identifiers (``n12``); names stand in labels only, so that no character of a name can change the graph.
"""
