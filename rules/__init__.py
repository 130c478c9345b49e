"""The rule books, one folder an edition."""
