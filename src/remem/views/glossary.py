"""The words of the screens that explain themselves least; help and `docs/words.md` draw from here.

Columns, states and short labels: what a verb does is told by its own help, what a sign means by
`signs.py`.
"""

from __future__ import annotations

from typing import Final

GLOSSARY: Final[tuple[tuple[str, str], ...]] = (
    ("fact", "a statement with the lines of code that prove it; in force while they are unchanged"),
    ("facts stored", "neither replaced nor taken back; prompts have those whose code is unchanged"),
    ("live", "files are watched: what others write is on the screen at once"),
    ("bars", "tokens at startup over time, from git; the last one is today"),
    ("not counted", "what the agent also starts with and remem cannot see"),
    ("author", "who committed the growth; what is not committed has none yet"),
    ("carried over", "stories of a sprint that were not finished in it"),
    ("growth up to", "growth is counted up to this day, when memory was last committed"),
    ("growth", "tokens that the memory files grew by since the day that is named, largest first"),
    ("units", "texts of a memory that count one by one: bullets, paragraphs, decisions"),
    ("+/week", "tokens that a memory grew per week, over the last four weeks"),
    ("over", "files too long for their tool, for their budget, or to be read; Health says which"),
    ("similar", "entries that say nearly the same; in the team table, as another persona's"),
    ("unloaded", "tokens of memory that its tool cuts off at startup; archives do not count"),
    ("inactive", "the team's own list says so; its files are still there"),
    ("old", "decisions and sections dated more than 30 days ago"),
    ("new", "written since you last looked"),
    ("event", "one pass of a writer over memory; `remem inbox` lists them by number"),
    ("as loaded", "the files that a tool loads by itself, as they are"),
    ("composed", "the prompt that remem builds from entries, under a budget"),
    ("whole prompt", "tokens of everything in a prompt"),
    ("memory", "tokens of the layers that are held to a budget"),
    ("memory / budget · total", "tokens of memory, those it may take, and all of the prompt"),
    ("profile", "what an agent is told of itself: charter, definition or character"),
    ("budget", "tokens that each layer of memory may take; the setting `tokens.budget`"),
    ("drops, adds", "entries that leave a prompt for want of room, and that get room"),
    ("over budget", "in force, and out of this prompt for want of room"),
    ("frees", "tokens that a prompt would lose with this entry"),
    ("priority", "place among the entries of a layer: the last one goes first for want of room"),
    ("number and letter", "before a line of a prompt: its tokens, and its layer"),
    ("whole, first, last", "how much of a file its tool loads"),
    ("on request, on demand", "loaded only when the agent works on certain files, or asks"),
    ("info only", "a finding that asks for nothing"),
    ("no decision needed", "a finding that its retro only observes"),
    ("ignored", "a finding that its retro says to ignore"),
    ("known, kept, merged", "what became of a finding: the entry behind the word has it"),
    ("can go into estimates", "a pattern of the retro by which later estimates can be corrected"),
    ("settle", "end a conflict: supersede one, limit its scope, or keep both for a reason"),
    ("enforcement", "who holds a rule, as its file says: prompts, the review gate, or both"),
    ("decay", "lower the confidence of a learning that nothing confirmed for long"),
    ("retire", "take facts out of force: beyond their number, or old and never used"),
    ("brackets around a key", "it does nothing on this row, and says why when pressed"),
)
"""Word → what it means, in the order of the screens."""


def glossary_table() -> str:
    """Return the words as a Markdown table."""
    rows = (f"| {word} | {means} |" for word, means in GLOSSARY)
    return "\n".join(("| on a screen | meaning |", "|---|---|", *rows))
