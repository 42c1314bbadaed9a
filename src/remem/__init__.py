"""remem: the place where people curate what their AI agents remember."""
