"""How likely a model finds a text: masked and causal models behind one interface."""
