"""The verbs, a module each: what somebody at the shell types after retold."""
