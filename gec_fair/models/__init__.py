"""Models: where they are, their weights, their names, and how they read texts in batches.

    locate         a folder, or a name on the hub            digest     what decides its predictions, as a name
    load           configuration and weights by name         batching   rows of like length together
    weights        all of them, or an error                  inference  device, precision, pooled states
    configuration  positions, attention, dropout             foreign    files that torch saved elsewhere

Architectures: gector, editscorer, projected, ltg_bert; heads, which the first two share; architectures, which makes the
configuration of a new encoder from its options. Nothing in this room trains, and nothing in it imports what does.
"""
