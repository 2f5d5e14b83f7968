"""`gec-fair`: one thin module per command group; parse, call one library function, print. Errors are caught here.

Command modules are imported when they are called, so that `--help` is quick and never imports spaCy or torch.
"""

from __future__ import annotations

import errno
import sys
from importlib import import_module
from pathlib import Path

import click

from gec_fair import __version__
from gec_fair.errors import GecFairError
from gec_fair.shipped import resolve_shipped

COMMANDS = {
    "audit-pairs": "gec_fair.cli.evaluation.audit",
    "augment": "gec_fair.cli.augmentation.augment",
    "babylm": "gec_fair.cli.babylm.experiments",
    "bart": "gec_fair.cli.gec.bart",
    "compare": "gec_fair.cli.evaluation.compare",
    "corpus": "gec_fair.cli.babylm.corpus_report",
    "correct": "gec_fair.cli.gec.correct",
    "counterfactual": "gec_fair.cli.evaluation.counterfactual",
    "data": "gec_fair.cli.data.public",
    "editscorer": "gec_fair.cli.gec.editscorer",
    "errors": "gec_fair.cli.evaluation.errors",
    "evalset": "gec_fair.cli.evaluation.evalset",
    "experiment": "gec_fair.cli.gec.experiment",
    "explain": "gec_fair.cli.augmentation.explain",
    "fairscore": "gec_fair.cli.fairness.fairscore",
    "fairtune": "gec_fair.cli.fairness.fairtune",
    "gap": "gec_fair.cli.evaluation.gap",
    "gector": "gec_fair.cli.gec.gector",
    "lexicon": "gec_fair.cli.data.lexicon",
    "lmbias": "gec_fair.cli.fairness.lmbias",
    "mix": "gec_fair.cli.augmentation.mix",
    "noise": "gec_fair.cli.gec.noise",
    "perturb": "gec_fair.cli.fairness.perturb",
    "perturber": "gec_fair.cli.fairness.perturber",
    "pretrain": "gec_fair.cli.babylm.pretrain",
    "razor": "gec_fair.cli.razor",
    "report": "gec_fair.cli.evaluation.report",
    "review": "gec_fair.cli.evaluation.review",
    "rewrite": "gec_fair.cli.augmentation.rewrite",
    "safety": "gec_fair.cli.safety",
    "score": "gec_fair.cli.evaluation.score",
    "sentences": "gec_fair.cli.data.sentences",
    "show": "gec_fair.cli.evaluation.show",
}


class Lazy(click.Group):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="gec-fair")
def cli() -> None:
    """Fair grammatical error correction: augment parallel data, and account for every line.

    \b
    gec-fair augment st clang8.tsv -o out/st      singular they, where one person is meant
    gec-fair augment fm clang8.tsv -o out/mf      she ⇄ he, actress ⇄ actor, Anna ⇄ Adam
    gec-fair mix clang8.tsv --st out/st --mf out/mf --per-kind 50000 -o mix
    """


def main() -> None:
    """The console script. Exit 0 done, 2 wrong usage or bad input, 1 an internal fault."""
    try:
        code = cli.main([resolve_shipped(word) for word in sys.argv[1:]], standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as fault:
        fault.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        print("\nstopped; the same command resumes from here", file=sys.stderr)
        sys.exit(130)
    except GecFairError as fault:
        print(f"gec-fair: {fault}", file=sys.stderr)
        sys.exit(fault.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as fault:
        message = refused_by_the_system(fault)
        if message is None:
            raise
        print(f"gec-fair: {message}", file=sys.stderr)
        sys.exit(2)


_REMEDIES = {
    errno.ENOSPC: "make room and run the same command again",
    errno.EDQUOT: "make room and run the same command again",
    errno.ENOENT: "make the folder, or name a file that is there",
    errno.ENOTDIR: "a part of this path is a file; name another",
    errno.EISDIR: "this is a folder; name a file",
    errno.EEXIST: "a part of this path is a file; name another",
    errno.EACCES: "this user may not; name another place, or change its rights",
    errno.EPERM: "this user may not; name another place, or change its rights",
    errno.EROFS: "nothing can be written there; name another place",
}


def refused_by_the_system(fault: OSError) -> str | None:
    """What to say of a file that the system refuses to read or write where no command foresaw it; None for what is no
    such fault."""
    remedy = _REMEDIES.get(fault.errno or 0)
    ours = str(fault.filename).startswith(str(Path(__file__).parents[1]))  # a file of the package: our own fault
    if remedy is None or ours:
        return None
    return f"{fault.filename or 'a file'}: {fault.strerror}; {remedy}"
