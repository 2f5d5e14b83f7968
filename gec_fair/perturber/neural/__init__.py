"""A seq2seq model as the perturber: training, requests, evaluation on PANDA."""
