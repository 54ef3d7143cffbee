"""What every storage offers, whatever the database: addresses, rows, attachments, errors."""
