"""How a record is seen and told, tested."""
