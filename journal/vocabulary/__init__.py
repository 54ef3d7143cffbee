"""Events (recorded facts) and commands (requests of the table) that every game shares."""
