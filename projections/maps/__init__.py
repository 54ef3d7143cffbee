"""Maps of a conflict's zones: layout, and drawings as SVG, text, GraphViz, Mermaid and JSON Canvas."""
