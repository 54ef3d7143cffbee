"""The event store kept in the tables of a PostgreSQL server, for any number of campaigns."""
