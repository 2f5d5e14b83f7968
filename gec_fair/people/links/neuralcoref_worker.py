"""NeuralCoref in its own process: one JSON object in, one out, a line each. Runs on Python 3.7 with spaCy 2.

    →  {"id": 7, "words": [["If", "my", "mom", ...], ...]}        ←  {"ready": true, "versions": {...}} once, first
    ←  {"id": 7, "clusters": [[[[1, 3], [8, 9]], ...], ...]}      ←  {"id": 7, "error": "..."} when a request fails

One list of clusters per text; spans are half-open, in words. This file imports nothing of gec_fair: its Python cannot.
"""

import json
import sys


def load(model):
    """The pipeline with NeuralCoref, and the versions that decide its answers."""
    import neuralcoref
    import spacy

    nlp = spacy.load(model)
    neuralcoref.add_to_pipe(nlp)
    return nlp, {"python": sys.version.split()[0], "spacy": spacy.__version__, "model": model}


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
    nlp, versions = load(sys.argv[1] if len(sys.argv) > 1 else "en_core_web_lg")
    say(out, {"ready": True, "versions": versions})
    serve(nlp, sys.stdin, out)


if __name__ == "__main__":
    main()
