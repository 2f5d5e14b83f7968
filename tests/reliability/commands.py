"""A command line for every command that reads a file, and for each of its options that names one."""

from __future__ import annotations

_SMALL = "--set encoder.hidden=8 --set encoder.layers=1 --set encoder.heads=2 --set encoder.intermediate=8 "
_SHORT = "--set training.steps=2 --set training.batch=2"
_BABYLM = (
    _SMALL.replace("encoder.", "pretrain.encoder.")
    + "--set pretrain.encoder.positions=64 --set pretrain.block=16 --set pretrain.vocabulary=300 "
    + "--set pretrain.training.steps=2 --set pretrain.training.batch=2 --set seeds=1 --set sample=4"
)

COMMANDS: dict[str, tuple[str, ...]] = {
    "augment fm": ("pairs.tsv --lexicon tables -o out", "reference.m2 -o out", "documents.csv --fields id,text -o out"),
    "augment neo": ("pairs.tsv --paradigm xe --lexicon tables -o out",),
    "augment st": ("pairs.tsv --lexicon tables -o out", "documents.jsonl --fields id,text -o out"),
    "rewrite fm": ("--lexicon tables < texts.txt",),
    "rewrite neo": ("--paradigm xe --lexicon tables < texts.txt",),
    "rewrite st": ("--lexicon tables < texts.txt",),
    "show": (
        *("augmented --plain", "perturbed --plain", "set --plain"),
        *("counterfactuals.csv --plain", "razored --plain", "augmented --sort sure --plain"),
    ),
    "score": (
        "--hyp hypothesis.txt --ref reference.m2 --src sources.txt",
        "--hyp documents.csv --ref documents.csv --fields text,text --column text",
    ),
    "gap": (
        "--evalset set --hyp set/toy_orig.src.txt set/toy_st_aug.src.txt --resamples 10",
        "--evalset set --system gector:gector --resamples 10",
    ),
    "compare": (
        "runs --evalset set --full reference.m2 --resamples 10 -o out",
        "--system gector:gector --evalset set --resamples 10 -o out",
    ),
    "mix": ("pairs.tsv --st augmented --mf swapped --per-kind 1 --surest -o out",),
    "explain": ("st MINE --lexicon tables",),
    "lexicon check": ("tables", "tables/nouns.tsv"),
    "lexicon lookup": ("warder --lexicon tables",),
    "audit-pairs": ("pairs.tsv -o out",),
    "counterfactual": (
        "texts.txt --system openai:m --prompt prompt.txt --resamples 10",
        "texts.txt --system bart:bart --resamples 10",
        "--evalset set --hyp set/toy_orig.src.txt set/toy_st_aug.src.txt --resamples 10",
    ),
    "evalset export": ("set --prose --overwrite -o out",),
    "evalset build": ("--transform st --from reference.m2 --gate none -o out",),
    "review": (
        *("set --agreement", "set --export out --by ann --partial", "select --agreement", "select --export out"),
        *("attributes --export out", "rewrite --agreement", "rewrite --export out"),
    ),
    "correct": ("texts.txt --system openai:m --prompt prompt.txt", "reference.m2 --system gector:gector"),
    "gector import": (
        "allennlp_tiny.th --encoder allennlp-encoder --labels allennlp-labels.txt --verbs verbs.txt -o out",
    ),
    "gector predict": ("gector texts.txt", "gector --tune reference.m2"),
    "gector train": (f"gector.yaml --train train.tsv --dev dev.tsv --start encoder {_SHORT} -o out",),
    "gector vocab": ("pairs.tsv --verbs verbs.txt -o out", "train.tsv --from labels.txt"),
    "bart import": ("fairseq_tiny.pt --dict fairseq_tiny_dict.txt --bpe merges.txt -o out",),
    "bart predict": ("bart dev.txt",),
    "bart train": (f"bart.yaml --start bart --train train.tsv --dev dev.tsv {_SHORT} -o out",),
    "editscorer import": ("official/checkpoint_2.pt --encoder encoder --generator gector -o out",),
    "editscorer predict": ("editscorer dev.txt --list dev.list.txt", "editscorer dev.txt --generator gector"),
    "editscorer train": (
        f"editscorer.yaml --start encoder --generator gector --train dev.tsv --dev dev.tsv {_SHORT} "
        "--set training.batch=1 --set mlp_hidden=8 -o out",
    ),
    "experiment run": ("experiment.yaml --set settings.training.steps=2 --set seeds=1 -o out",),
    "experiment status": ("experiment.yaml -o out",),
    "experiment table": ("experiment.yaml --resamples 10 -o experimented",),
    "noise": ("texts.txt --rates rates.toml -o out.tsv",),
    "sentences": ("prose.txt -o out.txt",),
    "perturb": ("texts.txt -o out", "texts.txt --lexicon axes -o out"),
    "perturber agreement": ("panda.csv panda-2.csv",),
    "perturber annotate": ("texts.txt -o out", "selected -o out", "attributed -o out"),
    "perturber evaluate": ("panda.csv",),
    "perturber score": ("texts.txt",),
    "perturber train": (f"perturber.yaml --start bart --train panda.csv --dev panda.csv {_SHORT} -o out",),
    "fairscore": (
        "--task reviews.csv --fields text --label label --model tfidf --train reviews.csv --lexicon axes",
        "--task documents.csv --fields text --label label --model hf:classifier",
    ),
    "fairtune": (
        "reviews.csv --dev reviews.csv --fields text --label label --seeds 1 -o out",
        f"reviews.csv --dev reviews.csv --model encoder --settings fairtune.yaml {_SHORT} --seeds 1 -o out",
    ),
    "lmbias run": ("--model masked --suite minimal",),
    "lmbias surprisal": ("masked texts.txt",),
    "lmbias survey": ("--models models.tsv --suite minimal -o out",),
    "babylm agree": ("debias-1 debias-2",),
    "babylm corpora": ("babylm.yaml -o out", "babylm.yaml --set texts=[toy.txt] -o out"),
    "babylm debias": (f"debias.yaml {_SHORT} --set sample=4 --set seeds=1 --set methods=[sent-debias] -o out",),
    "babylm experiment": (f"babylm.yaml {_BABYLM} -o out",),
    "pretrain mlm": (
        f"mlm.yaml --set texts=[prose.txt] {_SMALL}{_SHORT} --set encoder.positions=64 --set block=8"
        " --set vocabulary=270 -o out",
    ),
    "razor evaluate": (
        "--train documents.csv --test t=documents.csv --rewritten razored/rewritten.jsonl",
        f"--train documents.csv --test t=documents.csv --backbone encoder --settings razor.yaml {_SHORT} --runs out",
    ),
    "razor explain": ("documents.csv 1 --model hf:classifier --part here",),
    "razor run": (
        "documents.csv --rewriter rules --verifier none -o out",
        "documents.csv --llm m --prompts prompts --turns 1 --top 1 -o out",
    ),
    "razor score": ("documents.csv", "documents.jsonl"),
    "safety audit": (
        *("scores.csv --against scores.csv --texts texts.csv --show-text", "scores.csv --groups religions.csv"),
        "texts.csv --label hate --source hf:classifier --score was --counterfactuals",
        "ages.csv --label hate --groups groups.csv --terms terms.csv --source toxicity --counterfactuals",
    ),
    "safety counterfactuals": ("texts.csv -o out.csv", "ages.csv --groups groups.csv --terms terms.csv -o out.csv"),
    "safety fill": ("templates.csv -o out.csv", "templates.csv --groups groups.csv --terms terms.csv -o out.csv"),
    "safety generate": ("hate --model m --policies policies.toml --number 2 -o out.csv",),
    "safety mentions": ("texts.jsonl -o out.csv", "ages.csv --groups groups.csv --terms terms.csv -o out.csv"),
    "safety predict": (
        "trained/remediated safety-test.csv -o out.csv",
        "trained/remediated safety-test.csv --for-audit --groups religions.csv -o out.csv",
    ),
    "safety scores": (
        "texts.csv --source hf:classifier -o out.csv",
        "ages.csv --groups groups.csv --source vader -o out.csv",
    ),
    "safety split": ("safety-train.csv -o out",),
    "safety texts": (
        *("hatecheck hatecheck.csv -o out.csv", "davidson davidson.csv -o out.csv", "ethos ethos.csv -o out.csv"),
        *("openai-moderation openai.jsonl -o out.csv", "cf-fairness cf.csv -o out.csv", "toxigen toxigen -o out.csv"),
    ),
    "safety train": ("safety.yaml --set ensemble.trees=4 --set seeds=1 --set resamples=10 --set rounds=1 -o out",),
    "corpus report": ("prose.txt --emotions emotions.txt", "mine=prose.txt"),
    "settings show": (),
}

NO_INPUT = {
    **dict.fromkeys(("--output", "--export", "--html", "--plot", "--runs", "--review"), "is written"),
    **dict.fromkeys(("--set", "--settings", "--grid", "--cell", "--keys"), "settings, and cells, by name"),
    **dict.fromkeys(
        ("--fields", "--label", "--rewriting", "--text", "--evidence", "--id", "--column", "--score"), "columns"
    ),
    **dict.fromkeys(("--harm", "harms", "--labels", "--rename", "--category", "--name"), "names in the data"),
    **dict.fromkeys(("--axes", "--targets", "--tuning", "--methods", "--shares", "--part", "--count"), "choices"),
    **dict.fromkeys(("--terms-of", "--scoring", "--space", "--holisticbias"), "choices"),
    **dict.fromkeys(("--coref", "--paradigm", "--vectors", "--english", "--systems", "--perturber"), "parts by name"),
    **dict.fromkeys(("--toxic", "--hate", "--sentiment", "--negater", "--rewriter", "--verifier"), "models by name"),
    "--self-debias": "a kind of bias",
    **dict.fromkeys(("safety counterfactuals --model", "safety generate --model"), "chat models"),
    **dict.fromkeys(("--llm", "--base-url", "--price", "--reviewer", "--by"), "servers, prices, people"),
    **dict.fromkeys(("--outcome", "--reason", "--axis", "--word", "words", "document"), "what is looked for"),
    **dict.fromkeys(("source", "target", "name", "names"), "texts, or names of sets and settings"),
    **dict.fromkeys(("rewrite fm text", "rewrite neo text", "rewrite st text"), "- alone, for standard input"),
}
"""Parameters that name no file that is read, and why."""
