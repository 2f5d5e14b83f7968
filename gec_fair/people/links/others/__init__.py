"""Resolvers of other packages: fastcoref and Maverick in this process, NeuralCoref in another Python."""
