"""Running text: its sentences, its tokens, and tokens written as prose again."""
