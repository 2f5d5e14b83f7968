"""A linguist looks at what was made or counted: twins of an evaluation set, or cases of explicit bias.

items ─ page in the browser ─ decisions, one file a reviewer ─┬─ export: the finished set, who changed what
                                                              └─ agreement between reviewers
"""
