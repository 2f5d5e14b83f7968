"""What a rewriting would leave half said, by axis. It is then not made."""
