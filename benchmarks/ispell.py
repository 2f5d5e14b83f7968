"""A spelling checker with ispell's pipe protocol as a GEC system: the first suggestion for each word it does not know.

    gec-fair compare --system "aspell=command:python benchmarks/ispell.py aspell -a -d en_US" --evalset they-probe

Reads tokenised texts, one a line, and writes as many; only words of letters are checked. Hunspell speaks the protocol
too, and takes minutes for what aspell does in seconds.
"""

from __future__ import annotations

import subprocess
import sys


def main() -> None:
    texts = [line.split(" ") for line in sys.stdin.read().split("\n")[:-1]]
    words = sorted({word for text in texts for word in text if word.isalpha()})
    answers = dict(zip(words, ask(sys.argv[1:], words), strict=True))
    for text in texts:
        print(" ".join(answers.get(word, word) for word in text))


def ask(command: list[str], words: list[str]) -> list[str]:
    """The word itself, or what the program suggests first. It answers each line with a block that ends in an empty
    line: `& teh 13 1: the, eh, …` for an unknown word with suggestions."""
    question = "".join(f"^{word}\n" for word in words)
    done = subprocess.run(command, input=question, capture_output=True, encoding="utf-8", check=True)
    blocks = done.stdout.partition("\n")[2].split("\n\n")[: len(words)]
    return [
        block.partition(": ")[2].partition(",")[0].strip() if block.lstrip().startswith("&") else word
        for word, block in zip(words, blocks, strict=True)
    ]


if __name__ == "__main__":
    main()
