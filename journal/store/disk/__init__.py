"""Files on the user's disk: folders, files that are written whole, and changes of files."""
