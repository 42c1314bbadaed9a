"""Every document by the name of its schema in `schemas/output/`."""

from collections.abc import Mapping
from typing import Final

from remem.model.report.base import Document
from remem.model.report.changes import ChangeReport, HistoryReport, SearchReport
from remem.model.report.entries import ListReport, QueueReport, ShowReport
from remem.model.report.made import DemoReport, ErrorReport, SchemaReport, ScreenshotReport
from remem.model.report.people import (
    PersonaListReport,
    PersonaShowReport,
    RetroListReport,
    RetroShowReport,
)
from remem.model.report.prompt import ComposeReport, WhyReport
from remem.model.report.status import StatusReport

OUTPUTS: Final[Mapping[str, type[Document]]] = {
    "error": ErrorReport,
    "list": ListReport,
    "show": ShowReport,
    "search": SearchReport,
    "status": StatusReport,
    "queue": QueueReport,
    "change": ChangeReport,
    "history": HistoryReport,
    "compose": ComposeReport,
    "why": WhyReport,
    "retro-list": RetroListReport,
    "retro-show": RetroShowReport,
    "persona-list": PersonaListReport,
    "persona-show": PersonaShowReport,
    "demo": DemoReport,
    "schema": SchemaReport,
    "screenshot": ScreenshotReport,
}
"""Name of the schema in `schemas/output/` → the document."""
