"""Every document by the name of its schema in `schemas/output/`."""

from collections.abc import Mapping
from typing import Final

from remem.model.report.applied import AppliedReport
from remem.model.report.base import Document
from remem.model.report.briefing import BriefReport
from remem.model.report.changes import ChangeReport, HistoryReport, SearchReport
from remem.model.report.checks import CheckPromptReport, CheckReport
from remem.model.report.detecting import DetectReport
from remem.model.report.diff import DiffReport
from remem.model.report.entries import ListReport, QueueReport, ShowReport
from remem.model.report.layouts import LayoutsReport
from remem.model.report.learnings import DecayReport, MergeReport
from remem.model.report.made import DemoReport, ErrorReport, SchemaReport, ScreenshotReport
from remem.model.report.memory import (
    MemoryAppliedReport,
    MemoryCitationReport,
    MemoryInvalidateReport,
    MemoryReanchorReport,
    MemoryRecentReport,
    MemoryRefreshReport,
    MemorySearchReport,
    MemoryStatsReport,
    MemoryStoreReport,
    MemorySupersedeReport,
    MemoryVerifyReport,
)
from remem.model.report.packs import ExportReport, ImportReport
from remem.model.report.people import (
    PersonaDiffReport,
    PersonaListReport,
    PersonaShowReport,
    RetroListReport,
    RetroShowReport,
)
from remem.model.report.prompt import ComposeReport, WhyReport
from remem.model.report.reflecting import PersonaCompactReport, PersonaPromptReport
from remem.model.report.retro_run import RetroPromptReport
from remem.model.report.retros import EstimatesShowReport, RetroDiffReport, RetroIngestReport
from remem.model.report.shaktra import ConsolidateReport, MigrateReport
from remem.model.report.status import StatusReport
from remem.model.report.told import ToldReport
from remem.model.report.workspace import WorkspaceShowReport

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
    "diff": DiffReport,
    "told": ToldReport,
    "brief": BriefReport,
    "consolidate": ConsolidateReport,
    "migrate-shaktra": MigrateReport,
    "check": CheckReport,
    "check-prompt": CheckPromptReport,
    "detect": DetectReport,
    "layout-list": LayoutsReport,
    "applied": AppliedReport,
    "learn-decay": DecayReport,
    "learn-merge": MergeReport,
    "retro-list": RetroListReport,
    "retro-show": RetroShowReport,
    "retro-prompt": RetroPromptReport,
    "retro-ingest": RetroIngestReport,
    "retro-diff": RetroDiffReport,
    "estimates-show": EstimatesShowReport,
    "persona-list": PersonaListReport,
    "persona-show": PersonaShowReport,
    "persona-diff": PersonaDiffReport,
    "persona-prompt": PersonaPromptReport,
    "persona-compact": PersonaCompactReport,
    "export": ExportReport,
    "import": ImportReport,
    "memory-store": MemoryStoreReport,
    "memory-recent": MemoryRecentReport,
    "memory-search-path": MemorySearchReport,
    "memory-verify": MemoryVerifyReport,
    "memory-reanchor": MemoryReanchorReport,
    "memory-refresh": MemoryRefreshReport,
    "memory-invalidate": MemoryInvalidateReport,
    "memory-supersede": MemorySupersedeReport,
    "memory-log-applied": MemoryAppliedReport,
    "memory-read-citation": MemoryCitationReport,
    "memory-stats": MemoryStatsReport,
    "workspace-show": WorkspaceShowReport,
    "demo": DemoReport,
    "schema": SchemaReport,
    "screenshot": ScreenshotReport,
}
"""Name of the schema in `schemas/output/` → the document."""
