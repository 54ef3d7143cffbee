"""Cards and dice: their names, which beats which, where each one is, and the luck that turns them up."""
