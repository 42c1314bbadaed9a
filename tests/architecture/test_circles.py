"""No two modules need each other before either works."""

from tests.architecture.measure import components, imported_at_run_time

WITHIN_A_SYSTEM = {
    # A verb's declaration loads its planner when it is first planned, and the planner names the
    # verb: by its id on a card, or by its arguments in another plan.
    "remem.systems.facts": 4,
    "remem.systems.learnings": 5,
    "remem.systems.personas": 5,
    "remem.systems.sniper": 3,
    "remem.systems.workspace": 6,
}
"""How many modules of a system's folder are in circles; it may only shrink."""


def test_no_room_has_a_circle_of_imports_and_systems_have_few_of_their_own() -> None:
    found: dict[str, int] = {}
    for circle in components(imported_at_run_time()):
        if len(circle) > 1:
            folders = {".".join(name.split(".")[:3]) for name in circle}
            assert len(folders) == 1, sorted(circle)
            (folder,) = folders
            found[folder] = found.get(folder, 0) + len(circle)

    assert {folder for folder in found if not folder.startswith("remem.systems.")} == set()
    assert all(found[folder] <= WITHIN_A_SYSTEM.get(folder, 0) for folder in found), found
