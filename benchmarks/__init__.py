"""How fast the record is, against named peers in the same run; `python3 run.py bench` runs it all."""
