"""Random evenings in every game: whatever is typed, the table stays whole and every question is answered."""
