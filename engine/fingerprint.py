"""A fingerprint of some bytes, without importing OpenSSL at every start."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def fingerprint(data: bytes) -> str:
    """64 hexadecimal digits of BLAKE2b."""
    return blake2b(data, digest_size=32).hexdigest()
