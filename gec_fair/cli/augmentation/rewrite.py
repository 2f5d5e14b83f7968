"""`gec-fair rewrite fm|st|neo [-]`: plain text, one text a line, stdin to stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import click

from gec_fair.augmentation.options import Method, RewriteOptions
from gec_fair.cli.options.command import takes
from gec_fair.cli.options.groups import Group
from gec_fair.data.text_files import check_text
from gec_fair.errors import InputError, UsageError

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
rewrite = Group(help="Rewrite plain text, one text a line, from stdin to stdout. An argument `-` is stdin too.")


def _add(method: Method) -> None:
    @rewrite.command(method, help=_HELP[method])
    @click.argument("text", required=False, metavar="[-]")
    @click.option("--explain", is_flag=True, help="Print what became of each text, and why, in place of the texts.")
    @takes(RewriteOptions, method=method, mirror=False, strict_spelling=False)
    def run(text: str | None, explain: bool, options: RewriteOptions) -> None:
        if text not in (None, "-"):
            raise UsageError(f"{text}: rewrite reads standard input; give gec-fair rewrite {method} < FILE")
        from gec_fair.api.rewriting import make_rewriter, rewrite_with_warning
        from gec_fair.augmentation.explain import explain_texts

        rewriter = make_rewriter(options)
        if explain:
            style = "ansi" if sys.stdout.isatty() else "line"
            for explained in explain_texts(_lines(), rewriter, style=style):
                click.echo(explained)
            return
        for new in rewrite_with_warning(rewriter, _lines()):
            sys.stdout.buffer.write(new.encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()


def _lines() -> Iterator[str]:
    line = None
    for line in check_text(sys.stdin.buffer, "<stdin>"):
        yield line.decode().removesuffix("\n")
    if line is None:
        raise InputError("<stdin>: is empty; give one text a line")


for _method in _HELP:
    _add(_method)
