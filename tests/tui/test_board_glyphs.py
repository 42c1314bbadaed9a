from remem.curation.item import Why
from remem.tui import board


def test_every_reason_to_wait_has_a_sign_of_its_own() -> None:
    signs = {reason: board._GLYPHS[reason].text for reason in Why}

    assert len(set(signs.values())) == len(Why)
