"""A PostgreSQL server for tests: made anew, reached through a socket in its own folder, taken away.

The server refuses to run as root, so that then it runs as the user `postgres`.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

USER = "remem"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
}


def programs() -> Path | None:
    """Return the folder of the server's programs, those of the newest version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=_version)
    on_path = shutil.which("pg_ctl")
    if found:
        return found[-1].parent
    return Path(on_path).parent if on_path else None


def why_not() -> str:
    """Return why no server can be started here; empty if one can."""
    if programs() is None:
        return "there is no PostgreSQL server here: install `postgresql`"
    if os.geteuid() == 0 and not (_postgres_user() and shutil.which("setpriv")):
        return "PostgreSQL does not run as root, and there is no user `postgres`"
    return ""


@contextmanager
def server() -> Iterator[str]:
    """Run a server; give the address of its databases, to which a name is added."""
    folder = Path(tempfile.mkdtemp(prefix="remem-pg-", dir="/tmp"))
    data = folder / "data"
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        as_test = ("-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        _run("initdb", "-D", data, *as_test)
        settings = {**_SETTINGS, "unix_socket_directories": str(folder)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        _run("pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://{USER}@/{{name}}?host={folder}"
        finally:
            _run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: str, *arguments: str | Path) -> None:
    folder = programs()
    assert folder is not None
    as_user: Sequence[str] = ()
    if os.geteuid() == 0:
        as_user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
    command = [*as_user, str(folder / program), *map(str, arguments)]
    # Into a file: the server keeps a pipe open, and whoever reads it would wait for ever.
    with tempfile.TemporaryFile() as told:
        done = subprocess.run(
            command, cwd="/", stdout=told, stderr=told, stdin=subprocess.DEVNULL, check=False
        )
        told.seek(0)
        assert done.returncode == 0, told.read().decode("utf-8", "replace")


def _postgres_user() -> bool:
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return False
    return True


def _version(path: Path) -> float:
    name = path.parent.parent.name
    return float(name) if name.replace(".", "", 1).isdigit() else 0.0
