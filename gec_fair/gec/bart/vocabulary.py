"""fairseq's dictionary of GPT-2's sub-words as a Hugging Face tokenizer.

fairseq cuts a text by GPT-2's byte-level BPE, writes the pieces as GPT-2's numbers, and numbers those again by
`dict.txt`, a line each (`13 850314647`: piece 13, how often it was seen), after four own rows. GPT-2's numbers
follow from its list of merges: the 256 bytes, then a piece for each merge, then `<|endoftext|>`. With the published
dictionary the rows so found are those of Hugging Face's BART and RoBERTa.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import pre_tokenizers
from transformers import BartTokenizer, PreTrainedTokenizerBase

from gec_fair.data.text_files import split_lines
from gec_fair.errors import InputError, MissingResource
from gec_fair.models.weights import load_tokenizer

FIRST = ("<s>", "<pad>", "</s>", "<unk>")
MASK = "<mask>"
_FILLER = "madeupword"  # fairseq pads its dictionaries to a multiple of 8
_END = "<|endoftext|>"

Merges = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every row of the converted model, in order: those of the checkpoint, `<mask>`, and pieces it does not know."""

    rows: tuple[str, ...]
    trained: int
    """Rows of the dictionary, the four first ones among them; what comes after was never written, unless the
    checkpoint has a row for `<mask>`, which stands first there."""
    merges: Merges

    def tokenizer(self) -> PreTrainedTokenizerBase:
        """Cuts as `bart.encode` does: the first word of a text has no space before it. InputError for merges of pieces
        that the dictionary does not have."""
        numbers = {piece: row for row, piece in enumerate(self.rows)}
        try:
            return BartTokenizer(vocab=numbers, merges=list(self.merges), add_prefix_space=False)
        except Exception as fault:  # the tokenizers library raises Exception itself
            raise InputError(
                f"the merges and the dictionary do not fit each other ({fault}); give the vocab.bpe or merges.txt of "
                "the model (--bpe), and its dict.txt (--dict)"
            ) from fault


def read_vocabulary(dictionary: Path, merges: Merges) -> Vocabulary:
    """A fairseq `dict.txt` over the pieces of these merges. InputError with the line for what is none of them."""
    pieces = gpt2_pieces(merges)
    rows = list(FIRST)
    for number, line in enumerate(_lines(dictionary), start=1):
        token, _, count = line.partition(" ")
        where = f"{dictionary}:{number}"
        if not count.split(" ")[0].isdigit():
            raise InputError(f"{where}: expected TOKEN COUNT, found {line[:40]!r}; give fairseq's dict.txt")
        if token.isdigit() and int(token) < len(pieces):
            rows.append(pieces[int(token)])
        elif token.startswith(_FILLER) or token == MASK:
            rows.append(token)
        else:
            raise InputError(
                f"{where}: {token} is not the number of a GPT-2 piece (0 to {len(pieces) - 1:,}); give the dict.txt of "
                "a checkpoint over GPT-2's BPE, and its merges (--bpe)"
            )
    twice = len(rows) - len(set(rows))
    if twice:
        raise InputError(f"{dictionary}: names {twice} pieces twice; give the dict.txt as fairseq wrote it")
    trained = len(rows)
    known = set(rows)
    rows += [piece for piece in (MASK, *pieces) if piece not in known]
    return Vocabulary(tuple(rows), trained, merges)


def gpt2_pieces(merges: Merges) -> list[str]:
    """GPT-2's pieces by number. Bytes come in the order of the letters that stand for them."""
    return [*sorted(pre_tokenizers.ByteLevel.alphabet()), *(left + right for left, right in merges), _END]


def read_merges(name: str) -> Merges:
    """The merges of a `vocab.bpe` or `merges.txt`, or of a tokenizer (folder or hub name).

    InputError for a file that holds none; MissingResource where there is no such tokenizer.
    """
    path = Path(name)
    if path.is_file():
        lines = [line.split(" ") for line in _lines(path) if not line.startswith("#version")]
        wrong = next((n for n, pair in enumerate(lines) if len(pair) != 2), None)
        if wrong is not None or not lines:
            raise InputError(f"{path}: holds no merges (two pieces a line); give GPT-2's vocab.bpe or merges.txt")
        return tuple((left, right) for left, right in lines)
    try:
        backend = getattr(load_tokenizer(name), "backend_tokenizer", None)
    except MissingResource as fault:
        raise MissingResource(f"{fault}; or give GPT-2's vocab.bpe or merges.txt (--bpe)") from fault
    model = json.loads(backend.to_str())["model"] if backend is not None else {}
    if model.get("type") != "BPE":
        raise InputError(f"{name}: its tokenizer is not BPE; name GPT-2's, RoBERTa's or BART's (--bpe)")
    return tuple((left, right) for left, right in model["merges"])


def _lines(path: Path) -> Sequence[str]:
    """The lines; the last one with or without a line end."""
    try:
        return split_lines(path.read_bytes().decode("utf-8"))
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); check the path") from fault
    except UnicodeDecodeError as fault:
        raise InputError(f"{path}: is not UTF-8 at byte {fault.start}; it is not a text file") from fault
