"""Classifiers behind one small interface: texts in, a score for each label out, whatever stands behind it.

tfidf                TF-IDF and logistic regression, trained here on the task's own data (scikit-learn)
sklearn:FILE.skops   a scikit-learn pipeline that skops wrote (no pickle)
hf:NAME, NAME        a Hugging Face model for sequence classification
command:PROGRAM      any program that reads texts as JSON lines and writes scores
openai:MODEL         any server that speaks OpenAI's chat protocol: one label a text
detoxify:original    Detoxify, where it is installed
toxicity             the embedded one: a small linear model of toxic text
polarity             the embedded one: a small lexicon of good and bad words
"""

from gec_fair.classifiers.protocol import Classifier, Text, predictions, values
from gec_fair.classifiers.registry import load

__all__ = ["Classifier", "Text", "load", "predictions", "values"]
