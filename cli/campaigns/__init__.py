"""The campaign that a command means: settings, opening, questions, proposals, links."""
