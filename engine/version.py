"""The version of Seatlog."""

VERSION = "0.1.0"
