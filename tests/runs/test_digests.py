"""A digest is of the bytes that a file has now."""

from __future__ import annotations

import os
from hashlib import sha256

from gec_fair.runs.digests import file_digest


def test_a_file_that_keeps_its_size_and_time_has_a_new_digest(tmp_path):
    path = tmp_path / "a.txt"
    for content in (b"he", b"it"):
        path.write_bytes(content)
        os.utime(path, ns=(0, 0))
        assert file_digest(path) == {"name": "a.txt", "sha256": sha256(content).hexdigest()}
