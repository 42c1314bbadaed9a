"""What waits for a persona goes where the persona goes, and is nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.persona_files import write
from tests.reflecting import MEMORY, Desk, desk

from remem.base.errors import NotPossible
from remem.core.waiting.approve import conflicts_of
from remem.core.waiting.queue import opposed, told
from remem.model.change import Intent, Json
from remem.systems.personas.source import persona_sources
from remem.views.review.item_card import owner_of

NEW = "Ask for exact cents in a refund"
PRIYAS = {"persona": "Priya"}
PRIYA = ".night-watch/agents/Priya/memories/shop"


def verb(found: Desk, name: str, **arguments: str) -> None:
    found.bench.apply(Intent(name, arguments={**arguments}))


def approve_all(found: Desk) -> None:
    items = found.bench.queue()
    found.bench.apply(Intent("approve", {item.ref: item.digest for item in items}))


def memories(found: Desk) -> dict[str, str]:
    """Return who has the lesson in a memory, and in which file."""
    sources = persona_sources(found.bench.library.sources)
    return {s.owner: s.path.name for s in sources if NEW.encode() in s.data}


def bytes_of(found: Desk) -> dict[str, bytes]:
    files = (path for path in sorted(found.folder.rglob("*")) if path.is_file())
    own = (path for path in files if "state" not in path.parts)
    return {str(path): path.read_bytes() for path in own if ".local" not in path.parts}


def waiting(folder: Path, found: Desk) -> dict[str, bytes]:
    top = folder / "shop" / ".remem"
    return {path.name: path.read_bytes() for path in sorted(top.rglob("*.yaml"))}


def test_a_renamed_persona_takes_its_waiting_lessons_along(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))
        before = waiting(tmp_path, found)

        verb(found, "persona.rename", persona="Rosa", to="Carla")
        renamed = waiting(tmp_path, found)
        approve_all(found)

        assert before != renamed
        assert memories(found) == {"Carla": "main.md"}
        assert not (tmp_path / "home/.night-watch/agents/Rosa").exists()
        found.bench.undo()
        found.bench.undo()
        assert waiting(tmp_path, found) == before


def test_lessons_of_an_archived_persona_rest_until_it_is_restored(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))
        (item,) = found.bench.queue()
        verb(found, "persona.archive", persona="Rosa")

        assert found.bench.queue() == ()
        with pytest.raises(NotPossible, match="is archived"):
            found.bench.apply(Intent("approve", {item.ref: item.digest}))
        assert not (tmp_path / "home/.night-watch/agents/Rosa").exists()

        verb(found, "persona.restore", persona="Rosa")
        approve_all(found)
        assert memories(found) == {"Rosa": "main.md"}


def test_a_merged_persona_leaves_its_waiting_lessons_to_the_other_one(tmp_path: Path) -> None:
    write(tmp_path, {f"home/{PRIYA}/main.md": "## 2026-01-04\n- Ports close at night\n\n"})
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))

        verb(found, "persona.merge", persona="Rosa", into="Priya")
        approve_all(found)

        assert memories(found) == {"Priya": "main.md"}


def test_the_same_lesson_of_another_persona_waits_for_itself(tmp_path: Path) -> None:
    write(tmp_path, {f"home/{PRIYA}/main.md": "## 2026-01-04\n- Ports close at night\n\n"})
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))
        intent = found.reflect(NEW)
        found.bench.apply(Intent("persona.reflect", arguments={**intent.arguments, **PRIYAS}))

        assert len(found.bench.queue()) == 2
        approve_all(found)
        assert memories(found) == {"Rosa": "main.md", "Priya": "main.md"}


def test_a_lesson_that_an_agent_proposes_may_wait_for_another_persona_and_not_twice_for_one(
    tmp_path: Path,
) -> None:
    write(tmp_path, {f"home/{PRIYA}/main.md": "## 2026-01-04\n- Ports close at night\n\n"})

    def proposed(persona: str) -> Intent:
        fields: dict[str, Json] = {"text": NEW, "persona": persona}
        return Intent("propose", arguments={"kind": "lesson", "fields": fields})

    with desk(tmp_path) as found:
        found.bench.apply(proposed("Rosa"))
        found.bench.apply(proposed("Priya"))

        with pytest.raises(NotPossible, match="already in the queue"):
            found.bench.apply(proposed("Priya"))
        assert len(found.bench.queue()) == 2


def test_a_lesson_that_an_agent_proposes_without_an_owner_is_refused_to_the_agent(
    tmp_path: Path,
) -> None:
    with desk(tmp_path) as found:
        intent = Intent("propose", arguments={"kind": "lesson", "fields": {"text": NEW}})

        with pytest.raises(NotPossible, match="needs an owner") as refused:
            found.bench.apply(intent)

        assert "`persona`" in (refused.value.hint or "")
        assert found.bench.queue() == ()


def test_the_card_of_a_proposed_lesson_says_whose_it_would_be(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        fields: dict[str, Json] = {"text": NEW, "persona": "Rosa"}
        found.bench.apply(Intent("propose", arguments={"kind": "lesson", "fields": fields}))
        (item,) = found.bench.queue()

        assert owner_of(found.bench.library, item.ref) == "Rosa"


def test_what_one_persona_is_not_to_learn_another_may(tmp_path: Path) -> None:
    write(tmp_path, {f"home/{PRIYA}/main.md": "## 2026-01-04\n- Ports close at night\n\n"})
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))
        (item,) = found.bench.queue()
        found.bench.apply(Intent("reject", {item.ref: item.digest}, {"reason": "hers alone"}))
        intent = found.reflect(NEW)

        with pytest.raises(NotPossible, match="hers alone"):
            found.bench.apply(intent)
        found.bench.apply(Intent("persona.reflect", arguments={**intent.arguments, **PRIYAS}))

        assert len(found.bench.queue()) == 1


def test_a_lesson_that_waits_is_put_in_with_apply_and_waits_no_more(tmp_path: Path) -> None:
    with desk(tmp_path) as found:
        found.bench.apply(found.reflect(NEW))
        before = waiting(tmp_path, found)

        found.bench.apply(found.reflect(NEW, apply=True))

        assert memories(found) == {"Rosa": "main.md"}
        assert found.bench.queue() == ()
        found.bench.undo()
        assert waiting(tmp_path, found) == before
        assert found.memory.read_text() == MEMORY


def test_a_decision_that_was_merged_already_conflicts_with_nothing(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    text = "### Always cache the menu\n**By:** Hill\n\nCache the menu for an hour.\n"
    against = "### Never cache the menu\n**By:** Fury\n\nNever cache the menu.\n"
    with desk(tmp_path) as found:
        write(root, {".squad/decisions.md": f"# Log\n\n{against}\n"})
        write(root, {".squad/decisions/inbox/hill-x.md": text})
        found.bench.refresh()
        (new,) = (each for each in found.bench.queue() if each.kind == "decision")
        assert opposed(found.bench.library, new)

        write(root, {".squad/decisions.md": f"# Log\n\n{against}\n{text}\n"})
        found.bench.refresh()
        (merged,) = (each for each in found.bench.queue() if each.kind == "decision")

        entry = found.bench.library.entry(merged.ref)
        assert opposed(found.bench.library, merged) == ()
        assert [*conflicts_of(found.bench.library, entry)] == []
        assert not any("conflict" in each for each in told(found.bench.library, merged))
        assert found.bench.conflicts(entry) == ()
        assert (new.suggested, merged.suggested) == ("", "approve")


def test_a_decision_that_was_merged_already_says_so_and_only_its_file_goes(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    inbox, log = root / ".squad/decisions/inbox/hill-x.md", root / ".squad/decisions.md"
    text = "### Cache less\n**By:** Hill\n\n## Why\nIt is stale.\n"
    with desk(tmp_path) as found:
        write(root, {".squad/decisions.md": f"# Log\n\n{text}\n### Later\n"})
        write(root, {".squad/decisions/inbox/hill-x.md": text})
        before = log.read_bytes()
        found.bench.refresh()
        (item,) = (each for each in found.bench.queue() if each.kind == "decision")
        assert item.why == (
            "already merged, word for word (line 3 of `decisions.md`): "
            "approve and reject remove the inbox file, and the decision stays"
        )

        for verb in ("reject", "approve"):
            found.bench.apply(Intent(verb, {item.ref: item.digest}))
            assert (log.read_bytes(), inbox.exists()) == (before, False)
            found.bench.undo()

        assert inbox.read_bytes().startswith(b"### Cache less")
        log.write_bytes(before.replace(b"stale.", b"slow."))
        found.bench.refresh()
        (item,) = (each for each in found.bench.queue() if each.kind == "decision")
        assert item.why == "not yet in the team's decisions"
