"""Builds the wheel of this folder with nothing but Python, so that no network is needed."""

import tomllib
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).parent


def build_wheel(
    wheel_directory: str,
    config_settings: object = None,
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel into a folder and return its name, as PEP 517 has it."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    distribution = project["name"].replace("-", "_")
    base = f"{distribution}-{project['version']}"
    needs = "".join(f"Requires-Dist: {each}\n" for each in project["dependencies"])
    entries = "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
        for group, points in project["entry-points"].items()
    )
    files = {
        f"{distribution}.py": (HERE / f"{distribution}.py").read_text(encoding="utf-8"),
        f"{base}.dist-info/METADATA": "Metadata-Version: 2.1\n"
        f"Name: {project['name']}\nVersion: {project['version']}\n{needs}",
        f"{base}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: wheel_of_it\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
        f"{base}.dist-info/entry_points.txt": entries,
    }
    record = "".join(f"{name},,\n" for name in (*files, f"{base}.dist-info/RECORD"))
    wheel = f"{base}-py3-none-any.whl"
    with ZipFile(Path(wheel_directory) / wheel, "w") as out:
        for name, text in {**files, f"{base}.dist-info/RECORD": record}.items():
            out.writestr(name, text)
    return wheel
