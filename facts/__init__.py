"""The vocabulary of facts, the formats and the example tables."""
