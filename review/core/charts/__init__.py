"""Charts as SVG text, made with Altair and vl-convert; the numbers stand in a table beside them."""
