"""Typed texts on their way to a page: escaping, emphasis, line ends, widths, templates."""
