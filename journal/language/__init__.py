"""The language of the table: lines in, meaning out, before anybody asks who is meant (docs/language.md)."""
