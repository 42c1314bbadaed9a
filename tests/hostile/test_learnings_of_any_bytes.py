"""A learning, a signal or a protocol's retro of any bytes leaves the rest working."""

from pathlib import Path

import pytest
from tests.hostile.corpus import LEARNINGS

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import all_verbs
from remem.model.entry import digest_of
from remem.model.prompt import Ask
from remem.views.confidence_history import trajectory

GOOD = """\
id: L-20260505-0001
status: active
confidence: 0.5
created_at: "2026-05-05T10:00:00Z"
source: {type: human}
learning: "Sleeping in tests"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour" / ".sniper" / "memory" / "learnings"
    folder.mkdir(parents=True)
    (folder / "L-20260505-0001.yaml").write_text(GOOD)
    return tmp_path / "harbour"


@pytest.mark.parametrize(
    "place",
    [
        "memory/learnings/L-20260504-7be1.yaml",
        "memory/learnings/lesson.md",
        "memory/archive/L-20260504-7be1.yaml",
        "memory/signals/20260504-ci_failure-1.yaml",
        "memory/velocity.yaml",
        "retros/SNPR-20260504-19aa.yaml",
    ],
)
@pytest.mark.parametrize("name", LEARNINGS)
def test_a_file_of_any_bytes_leaves_the_rest_working(root: Path, place: str, name: str) -> None:
    path = root / ".sniper" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(LEARNINGS[name])

    bench = Session.open(root, Places.of(root.parent / "home"), door="cli")
    prompt = bench.compose(Ask(role="qa", files=("x" * 100,), phase="review"))
    for source in bench.library.complete():
        for entry in source.entries:
            each = bench.library.format_of(entry)
            each.reader.body(source, entry)
            each.reader.fields(source, entry)
            trajectory(bench.library, entry)
    bench.queue()

    assert "- [MEDIUM] Sleeping in tests." in prompt.text
    assert path.read_bytes() == LEARNINGS[name]


@pytest.mark.parametrize("name", LEARNINGS)
def test_a_verb_on_any_bytes_writes_a_whole_record_or_nothing(root: Path, name: str) -> None:
    path = root / ".sniper/memory/learnings/L-20260504-7be1.yaml"
    path.write_bytes(LEARNINGS[name])
    bench = Session.open(root, Places.of(root.parent / "home"), door="cli")
    entry = bench.library.resolve("learning:L-20260504-7be1")
    verbs = [
        verb.id for verb in all_verbs() if verb.group == "Learnings" and verb.id != "learn.add"
    ]

    for verb in (*verbs, "approve", "reject", "edit", "archive", "restore"):
        said = {"by": "E-1", "protocol": "P-1", "as_of": "2027-01-01"}
        intent = bench.intend(verb, [entry], **said, fields={"learning": "b"})
        try:
            change = bench.plan(intent)
        except RememError:
            continue  # it says why; what it must not do is plan something that does harm
        after = bench.library.preview(change.effects)
        assert not any(
            problem.blocks_writing
            for source in after.of_format("learning")
            for found in source.entries
            for problem in found.problems
        )

    assert path.read_bytes() == LEARNINGS[name]
    assert digest_of(path.read_bytes()) == entry.digest
