"""The console of `retold play`: a line typed, carried out, told, and offered again where it was refused."""
