"""A whole campaign for other programs: Foundry, Kanka, a spreadsheet, or one JSON value."""
