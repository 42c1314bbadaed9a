import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.base.errors import UnsafeName
from remem.store.io import real_below, real_path
from remem.store.paths import collision_key, contained, existing_name, name_warning, new_name

NASTY = st.text(
    st.sampled_from("aZ9 ._+-éßﬁK\u0301\u202e\u200d\u2028\0/\\:~\ue000\U000e0041М界ा¹ⅷ"),
    max_size=12,
)


@pytest.mark.parametrize(
    "name",
    ["Maya", "hill-2", "a", "9", "release 1.2", "Zoë", "界", "Мауа", "a_b+c", "COM10"],
)
def test_names_that_every_system_can_hold_are_taken(name: str) -> None:
    assert new_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="empty"),
        pytest.param(".", id="dot"),
        pytest.param("..", id="dots"),
        pytest.param(".hidden", id="leading-dot"),
        pytest.param("-rf", id="leading-dash"),
        pytest.param(" a", id="leading-space"),
        pytest.param("a.", id="trailing-dot"),
        pytest.param("a ", id="trailing-space"),
        pytest.param("a/b", id="slash"),
        pytest.param("a\\b", id="backslash"),
        pytest.param("a:b", id="colon"),
        pytest.param("a\0", id="nul"),
        pytest.param("a\nb", id="newline"),
        pytest.param("a\x1b[0m", id="escape"),
        pytest.param("a\u202eb", id="bidi"),
        pytest.param("a\u200bb", id="zero-width"),
        pytest.param("a\u2028b", id="line-separator"),
        pytest.param("a\ue000", id="private-use"),
        pytest.param("a\ud800", id="surrogate"),
        pytest.param("a\U000e0041", id="tag"),
        pytest.param("a😀", id="emoji"),
        pytest.param("CON", id="device"),
        pytest.param("nul.txt", id="device-with-suffix"),
        pytest.param("Aux .md", id="device-with-space"),
        pytest.param("com1", id="port"),
        pytest.param("LPT¹", id="port-superscript"),
        pytest.param("x" * 129, id="too-long"),
        pytest.param("é" * 65, id="too-long-in-bytes"),
    ],
)
def test_names_that_some_system_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(UnsafeName):
        new_name(name)


def test_a_new_name_is_composed() -> None:
    assert new_name("Zoe\u0308") == "Zoë"


@given(NASTY)
def test_what_is_taken_is_safe_stays_itself_and_is_one_part_of_a_path(name: str) -> None:
    try:
        made = new_name(name)
    except UnsafeName:
        return

    assert new_name(made) == made
    assert Path(made).name == made
    assert made.isprintable()
    assert len(made.encode()) <= 128


@given(NASTY)
def test_a_collision_key_is_the_key_of_every_way_to_write_the_name(name: str) -> None:
    key = collision_key(name)

    assert collision_key(unicodedata.normalize("NFD", name)) == key
    assert collision_key(unicodedata.normalize("NFC", name)) == key


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("maya", "MAYA"),
        ("é", "e\u0301"),
        ("K", "\u212a"),
        ("fi", "ﬁ"),
        ("strasse", "straße"),
    ],
)
def test_names_that_some_file_system_takes_for_one_collide(one: str, two: str) -> None:
    assert collision_key(one) == collision_key(two)


def test_look_alikes_do_not_collide_and_are_warned_of() -> None:
    cyrillic = "Мауа"

    assert collision_key(cyrillic) != collision_key("Maya")
    assert "looks like `Maya`" in name_warning(cyrillic, ["Hill", "Maya"])
    assert "mixes Cyrillic and Latin" in name_warning("M\u0430ya")


@pytest.mark.parametrize("name", ["Maya", "Иван", "Ιωάννης", "東京tower", "Zoë 2"])
def test_honest_names_are_not_warned_of(name: str) -> None:
    assert name_warning(name, ["Hill", name]) == ""


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/", "a\0b"])
def test_what_is_not_one_part_of_a_path_is_never_an_existing_name(name: str) -> None:
    with pytest.raises(UnsafeName):
        existing_name(name)


@pytest.mark.parametrize("name", ["a:b", "CON", " x ", "a\u202eb", "a\udcff", ".hidden", "x" * 200])
def test_odd_names_that_are_there_can_be_worked_with(name: str) -> None:
    assert existing_name(name) == name


@pytest.fixture
def base(tmp_path: Path) -> Path:
    base = tmp_path / "base"
    (base / "in").mkdir(parents=True)
    (tmp_path / "base-2").mkdir()
    (tmp_path / "secret").write_text("secret")
    (base / "file").write_text("x")
    (base / "to-file").symlink_to("file")
    (base / "to-secret").symlink_to(tmp_path / "secret")
    (base / "to-parent").symlink_to("..")
    (base / "in" / "up-and-down").symlink_to("../file")
    (base / "loop").symlink_to("loop")
    return base


def test_a_path_inside_is_given_with_its_links_resolved(base: Path) -> None:
    assert contained(base, Path("in/../file")) == base / "file"
    assert contained(base, Path("to-file")) == base / "file"
    assert contained(base, Path("in/up-and-down")) == base / "file"
    assert contained(base, base / "not" / "there") == base / "not" / "there"
    assert contained(base, base) == base


def test_a_base_that_is_reached_by_a_link_holds_its_files(base: Path) -> None:
    alias = base.parent / "alias"
    alias.symlink_to(base)

    assert contained(alias, Path("file")) == base / "file"
    assert contained(alias, base / "file") == base / "file"


@pytest.mark.parametrize(
    "path",
    ["..", "../secret", "to-secret", "to-parent/secret", "/etc/passwd", "../base-2", "in/../../x"],
)
def test_a_path_that_leads_out_is_refused(base: Path, path: str) -> None:
    with pytest.raises(UnsafeName, match="is outside"):
        contained(base, Path(path))


def test_a_path_with_a_nul_is_refused(base: Path) -> None:
    with pytest.raises(UnsafeName):
        contained(base, Path("a\0b"))


@pytest.mark.parametrize(
    "name",
    ["plain/deep", "link/deep", "plain/missing/deep", "gone/deep", "plain/../link", "file/x", "."],
)
def test_what_is_below_a_real_folder_is_resolved_like_everything_else(
    tmp_path: Path, name: str
) -> None:
    folder = real_path(tmp_path)
    (folder / "plain" / "deep").mkdir(parents=True)
    (folder / "file").write_bytes(b"")
    (folder / "link").symlink_to("plain")
    (folder / "gone").symlink_to("nowhere/at/all")

    assert real_below(folder, Path(name)) == real_path(folder / name)
