from pathlib import Path

from remem.edit.patch import Patch
from remem.model.change import Create, Delete, Derived, Effect, Move, RowEdit, Splice
from remem.model.entry import digest_of
from remem.store.changes.preview import previews, step_previews
from remem.store.changes.steps import Edited, FolderMade, Made, Moved, Rendered, Step
from remem.store.io import Disk


def test_every_effect_says_what_it_does_to_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"one\ntwo\n")
    effects: list[Effect] = [
        Splice(path, 4, 7, b"two", b"2", digest_of(b"one\ntwo\n")),
        Create(tmp_path / "b.yaml", b"new\n"),
        Delete(tmp_path / "c.yaml", b"old\n", ""),
        Move(tmp_path / "d", tmp_path / "e"),
        RowEdit(tmp_path / "state.db", "people", {"id": "1"}, {"name": "Ana"}, {"name": "Bea"}),
        Derived(tmp_path / "summary.md", "sniper"),
    ]

    found = {preview.path.name: preview for preview in previews(Disk(), effects, {})}

    assert found["a.yaml"].hunks[0].before == ("two",)
    assert found["a.yaml"].hunks[0].after == ("2",)
    assert not found["a.yaml"].only_adds
    assert found["b.yaml"].only_adds
    assert sum(hunk.came for hunk in found["b.yaml"].hunks) == 1
    assert found["c.yaml"].hunks[0].before == ("old",)
    assert found["d"].does == f"moves to `{tmp_path / 'e'}`"
    assert "name: Ana → Bea" in found["state.db"].does
    assert found["summary.md"].does == "regenerated"


def test_a_row_that_comes_or_goes_is_told_from_one_that_changes(tmp_path: Path) -> None:
    where = (tmp_path / "state.db", "people", {"id": "1"})

    effects = [RowEdit(*where, {}, {"name": "Ana"}), RowEdit(*where, {"name": "Ana"}, {})]

    assert [each.does for each in previews(Disk(), effects, {})] == [
        "adds a row to `people`",
        "removes a row from `people`",
    ]


def test_the_history_shows_what_steps_did_and_hides_what_changed_nothing(tmp_path: Path) -> None:
    steps: list[Step] = [
        Edited(tmp_path / "a", "", 4, (Patch(0, b"two", b"2", b"", b"\n"),)),
        Made(tmp_path / "b", b"new\n"),
        Moved(tmp_path / "c", tmp_path / "d", 7),
        FolderMade(tmp_path / "e"),
        Rendered(tmp_path / "same", "sniper", b"x\n", b"x\n"),
        Rendered(tmp_path / "other", "sniper", b"x\n", b"y\n"),
    ]

    found = {preview.path.name: preview for preview in step_previews(steps)}

    assert [*found] == ["a", "b", "c", "other"]
    assert found["a"].hunks[0].after == ("2",)
    assert found["other"].hunks[0].before == ("x",)
