"""What changes a branch: recorded commands, undo, retcon, redaction, drafts."""
