"""NeuralCoref in its own process: one JSON object in, one out, a line each. Runs on Python 3.7 with spaCy 2.

    →  {"id": 7, "words": [["If", "my", "mom", ...], ...]}      ←  {"ready": "VERSION"} or {"error": "..."} once, first
    ←  {"id": 7, "clusters": [[[[1, 3], [8, 9]], ...], ...]}    ←  {"id": 7, "error": "..."} when a request fails

One list of clusters per text; spans are half-open, in words. This file imports nothing of gec_fair: its Python cannot.
Start it isolated (`python -I`): its folder has a `neuralcoref.py` of ours, which must not be found.
"""

import hashlib
import json
import os
import sys


def load(model):
    """The pipeline with NeuralCoref, and what decides its answers: both packages' versions and a digest of the models.

    A folder `neuralcoref` inside the pipeline's is NeuralCoref's model. Without it, NeuralCoref downloads one.
    """
    if os.path.isdir(os.path.join(model, "neuralcoref")):
        os.environ["NEURALCOREF_CACHE"] = model  # read by the import
    import neuralcoref
    import spacy

    nlp = spacy.load(model, disable=["sentencizer", "neuralcoref"])  # spaCy cannot make the latter from its name (E002)
    neuralcoref.add_to_pipe(nlp)
    models = digest(str(nlp.path), str(neuralcoref.NEURALCOREF_MODEL_PATH))
    return nlp, f"neuralcoref-{neuralcoref.__version__}+spacy-{spacy.__version__}+sha256:{models}"


def digest(*folders):
    """Sixteen digits of SHA-256 over the names and bytes of all files."""
    sha = hashlib.sha256()
    for folder in folders:
        for place, places, names in os.walk(folder):
            places.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                sha.update(os.path.relpath(path, folder).encode() + b"\0")
                with open(path, "rb") as file:
                    sha.update(file.read())
    return sha.hexdigest()[:16]


def resolve(nlp, words):
    """The clusters of one tokenised text: start and end of each mention, in words."""
    from spacy.tokens import Doc

    doc = Doc(nlp.vocab, words=words)
    for _, component in nlp.pipeline:
        doc = component(doc)
    return [[[mention.start, mention.end] for mention in cluster.mentions] for cluster in doc._.coref_clusters or []]


def serve(nlp, lines, out):
    """Answer requests line by line; a fault of one text is its answer."""
    for line in lines:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            answer["clusters"] = [resolve(nlp, words) if words else [] for words in request["words"]]
        except Exception as error:  # the client must hear of every failure, and the next text may work
            answer["error"] = f"{type(error).__name__}: {error}"
        say(out, answer)


def say(out, answer):
    """Write one JSON line."""
    out.write(json.dumps(answer) + "\n")
    out.flush()


def main():
    """Serve requests on standard input until it ends."""
    out = sys.stdout
    sys.stdout = sys.stderr  # what libraries print must not mix with the answers
    try:
        nlp, version = load(sys.argv[1])
    except Exception as error:  # a model or package that is not there
        say(out, {"error": f"{type(error).__name__}: {error}"})
        return
    say(out, {"ready": version})
    serve(nlp, sys.stdin, out)


if __name__ == "__main__":
    main()
