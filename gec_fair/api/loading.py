"""Systems, classifiers and lexicons by name, and functions in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from gec_fair.data.columns import check_arguments, read_texts, wrong_argument
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from gec_fair.classifiers.protocol import Classifier
    from gec_fair.english.lexicons.lexicon import Lexicon
    from gec_fair.evaluate.evalsets.catalogue import EvalSet
    from gec_fair.gec.systems.protocol import System

AnySystem: TypeAlias = "str | System | Callable[[list[str]], Sequence[str]]"
"""A GEC system: its name, a system, or a function from texts to as many corrected texts."""
AnyClassifier: TypeAlias = "str | Classifier | Callable[[list[str]], Any]"
"""A classifier: its name, a classifier, or a function from texts to scores, texts × labels."""


@check_arguments
def load_system(system: AnySystem, *, prompt: str | Path | None = None, prose: bool = False) -> System:
    """Load a GEC system.

    Args:
        system: A name, such as "symspell", "gector:out/best", "command:PROGRAM" or "openai:MODEL"; or a function from a
            list of texts to as many corrected texts.
        prompt: A file with other instructions for a chat model.
        prose: Whether it reads and writes prose (*He goes home.*): it is given prose, and its answers are tokenised
            by alignment to the text.

    Returns:
        The system: it is called with texts and returns corrected texts. `version` names all that decides them.

    Raises:
        UsageError: For an unknown name.
        MissingResource: For a model or an extra that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> system = gf.load_system(lambda texts: [text.replace("teh", "the") for text in texts])
        >>> system(["teh end ."])
        ['the end .']
    """
    from gec_fair.gec.systems.protocol import ProseSystem, writes_prose

    if isinstance(system, str):
        from gec_fair.gec.systems.registry import load

        loaded = load(system, prompt=None if prompt is None else Path(prompt))
    elif hasattr(system, "version"):
        loaded = cast("System", system)
    elif callable(cast("object", system)):
        loaded = FunctionSystem(system)
    else:
        raise wrong_argument("system", system, "a name, a system, or a function from a list of texts to as many texts")
    return ProseSystem(loaded) if prose and not writes_prose(loaded) else loaded


def load_evalset(evalset: str | Path) -> EvalSet:
    """An evaluation set by its name or folder; raises as `catalogue.find` does."""
    from gec_fair.evaluate.evalsets.catalogue import find

    if not isinstance(evalset, str | Path):
        raise wrong_argument("evalset", evalset, 'the name of an evaluation set, such as "they-probe", or a folder')
    return find(str(evalset))


@dataclass(frozen=True, slots=True)
class FunctionSystem:
    """A function as a system. Its answers are not cached, for nothing says whether it changed."""

    function: Callable[[list[str]], Sequence[str]]

    @property
    def version(self) -> str:
        """The name of the function."""
        return f"function:{getattr(self.function, '__qualname__', type(self.function).__name__)}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The function's answers. SystemFault unless they are strings, one for each text."""
        from gec_fair.gec.systems.protocol import SystemFault

        try:
            answers = list(self.function(list(texts)))
        except (AttributeError, TypeError) as fault:
            raise SystemFault(
                f"{self.version}: {type(fault).__name__}: {fault}; a system takes a list of texts, not one text, and "
                "returns a list of corrected texts"
            ) from fault
        if len(answers) != len(texts):
            raise SystemFault(
                f"{self.version}: answered {len(answers)} values for {len(texts)} texts; return one string for each"
            )
        try:
            return list(read_texts(answers, "answers"))
        except UsageError as fault:
            raise SystemFault(f"{self.version}: {fault}; return one string for each text") from fault


@check_arguments
def load_classifier(classifier: AnyClassifier, labels: Sequence[str] = ()) -> Classifier:
    """Load a text classifier.

    Args:
        classifier: A name, such as "toxicity", "hf:MODEL", "sklearn:FILE.skops", "command:PROGRAM" or "openai:MODEL";
            or a function from a list of texts to scores, texts × labels.
        labels: The names of the labels, in the order of the scores. A function needs them, and so does a chat model;
            others that are named know their own, and are checked against these.

    Returns:
        The classifier: `labels`, `scores(texts)` and `version`.

    Raises:
        UsageError: For an unknown name.
        InputError: For a classifier that lacks one of the labels.
        MissingResource: For a model or an extra that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> classifier = gf.load_classifier(lambda texts: [[0.9, 0.1] for _ in texts], labels=("safe", "unsafe"))
        >>> classifier.scores([("Hello .",)]).tolist()
        [[0.9, 0.1]]
    """
    if isinstance(classifier, str):
        from gec_fair.classifiers.registry import load, load_unmatched

        return load(classifier, labels) if labels else load_unmatched(classifier)
    if hasattr(classifier, "scores"):
        return cast("Classifier", classifier)
    if not callable(cast("object", classifier)):
        expected = "a name, a classifier, or a function from a list of texts to scores"
        raise wrong_argument("classifier", classifier, expected)
    from gec_fair.classifiers.functions import FunctionClassifier

    return FunctionClassifier(cast("Callable[[list[Any]], Any]", classifier), tuple(labels))


@check_arguments
def load_lexicon(folder: str | Path | None = None) -> Lexicon:
    """Load the lexicon of gendered nouns, names and pronouns.

    Args:
        folder: A folder with tables of your own, laid over the shipped ones
            (docs/reference/lexicons.md); None for these alone.

    Returns:
        The lexicon.

    Raises:
        InputError: For a table that cannot be read, with file and line.

    Examples:
        >>> import gec_fair as gf
        >>> gf.load_lexicon().names.gender("Anna").value
        'feminine'
    """
    from gec_fair.english.lexicons import lexicon

    return lexicon.load(None if folder is None else str(folder))
