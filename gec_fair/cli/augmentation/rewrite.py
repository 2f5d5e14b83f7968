"""`gec-fair rewrite fm|st|neo [-]`: plain text, one text a line, stdin to stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from gec_fair.cli.options.augmentation import method_options
from gec_fair.cli.options.groups import Group
from gec_fair.errors import InputError, UsageError

if TYPE_CHECKING:
    from gec_fair.api.rewriting import Method

_HELP: Mapping[Method, str] = {
    "fm": """Swap feminine and masculine words in plain text.

    \b
    echo "Anna lost her keys." | gec-fair rewrite fm
    gec-fair rewrite fm --direction m2f < stories.txt > stories.f.txt
    """,
    "st": """Rewrite he and she to singular they in plain text.

    \b
    echo "Anna lost her keys." | gec-fair rewrite st
    echo "He lost it." | gec-fair rewrite st --explain
    gec-fair rewrite st --gate none --tokenised < dev.tok > dev.they.tok
    """,
    "neo": """Rewrite he and she to a neopronoun in plain text.

    \b
    echo "Anna lost her keys." | gec-fair rewrite neo --paradigm xe
    """,
}


@click.group(cls=Group)
def rewrite() -> None:
    """Rewrite plain text, one text a line, from stdin to stdout. An argument `-` is stdin too."""


def _command(method: Method) -> click.Command:
    def invoke(**arguments: Any) -> None:
        _run(method, arguments)

    decorated = method_options(method, pairs=False)(invoke)
    decorated = click.option("--tokenised", is_flag=True, help="Words are what stands between spaces.")(decorated)
    decorated = click.option(
        "--explain",
        "explained",
        is_flag=True,
        help="Print what became of each text, and why, in place of the texts.",
    )(decorated)
    decorated = click.argument("text", required=False, metavar="[-]")(decorated)
    return click.command(method, help=_HELP[method])(decorated)


def _run(method: Method, arguments: dict[str, Any]) -> None:
    from gec_fair.api.rewriting import make_rewriter, rewrite_with_warning
    from gec_fair.augmentation.explain import explain_texts

    text, is_explained, tokenised = (arguments.pop(name) for name in ("text", "explained", "tokenised"))
    if text not in (None, "-"):
        raise UsageError(f"{text}: rewrite reads standard input; give gec-fair rewrite {method} < FILE")
    rewriter = make_rewriter(method, arguments, tokenised=tokenised)  # type: ignore[arg-type]
    if is_explained:
        style = "ansi" if sys.stdout.isatty() else "line"
        for explained in explain_texts(_lines(), rewriter, style=style):
            click.echo(explained)
        return
    for new in rewrite_with_warning(rewriter, _lines()):
        sys.stdout.buffer.write(new.encode("utf-8") + b"\n")
    sys.stdout.buffer.flush()


def _lines() -> Iterator[str]:
    number = 0
    for number, raw in enumerate(sys.stdin.buffer, 1):
        if b"\0" in raw:
            raise InputError(f"<stdin>:{number}: holds a NUL byte, so it is not text; give text in UTF-8")
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\n")
        except UnicodeDecodeError as fault:
            raise InputError(
                f"<stdin>:{number}: not UTF-8 (byte {fault.start}); convert it, e.g. with iconv"
            ) from fault
    if not number:
        raise InputError("<stdin>: is empty; give one text a line")


for _method in _HELP:
    rewrite.add_command(_command(_method))
