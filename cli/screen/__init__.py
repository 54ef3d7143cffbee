"""The screen: tables, bars, maps and pages as a terminal shows them."""
