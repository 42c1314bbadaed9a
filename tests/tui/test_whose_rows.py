"""A list of several personas' lessons says of each whose it is."""

from __future__ import annotations

from pathlib import Path

from tests.systems.personas.test_persona_lifecycle import House

from remem.views.entries.browse import ALL, everyone_in, shelf


def test_a_lesson_says_whose_it_is_among_others_and_not_in_its_own_file(tmp_path: Path) -> None:
    of = House(tmp_path, root={".squad/agents/hill/history.md": "## 2026-05-01\n\n- Ports\n"})
    library = of.bench.library
    people = everyone_in(library)

    everything = shelf(library, ALL, people)
    own = shelf(library, ("persona", people[0].name, ""), people)

    assert [span.text for span in everything.rows.row(0).right] == ["hill"]
    assert [span.text for span in own.rows.row(0).right] == ["2026-05-01"]
