"""Every document by the name of its schema in `schemas/output/`."""

from collections.abc import Mapping
from typing import Final

from remem.views.documents.changes import ChangeReport, HistoryReport, SearchReport
from remem.views.documents.checks import (
    CheckPromptReport,
    CheckReport,
    DetectAllReport,
    DetectReport,
)
from remem.views.documents.diff import DiffReport
from remem.views.documents.document import Document
from remem.views.documents.entries import (
    DuplicatesReport,
    ForgetReport,
    InboxReport,
    ListReport,
    MergeFileReport,
    QueueReport,
    ShowReport,
    SnapshotReport,
)
from remem.views.documents.learnings import CurateReport, DecayReport, LearnListReport, MergeReport
from remem.views.documents.made import DemoReport, ErrorReport, SchemaReport, ScreenshotReport
from remem.views.documents.mcp import DoctorReport, InstallReport
from remem.views.documents.memory import (
    MemoryAppliedReport,
    MemoryCitationReport,
    MemoryHistoryReport,
    MemoryInvalidateReport,
    MemoryReanchorReport,
    MemoryRecentReport,
    MemoryRefreshReport,
    MemorySearchReport,
    MemoryStatsReport,
    MemoryStoreReport,
    MemorySupersedeReport,
    MemoryVerifyReport,
    MemoryWordsReport,
)
from remem.views.documents.packs import ExportReport, ImportReport
from remem.views.documents.people import (
    PersonaCompactReport,
    PersonaDiffReport,
    PersonaListReport,
    PersonaPromptReport,
    PersonasCompactReport,
    PersonaSharedReport,
    PersonaShowReport,
    RetroListReport,
    RetroShowReport,
)
from remem.views.documents.prompt import ComposeReport, WhyAllReport, WhyReport
from remem.views.documents.retros import (
    EstimatesShowReport,
    RetroDiffReport,
    RetroIngestReport,
    RetroPromptReport,
)
from remem.views.documents.settings import ConfigPathReport, ConfigShowReport, LayoutsReport
from remem.views.documents.shaktra import (
    AppliedReport,
    BriefReport,
    ConsolidateReport,
    MigrateReport,
)
from remem.views.documents.status import AgainstReport, ShortReport, StatusReport
from remem.views.documents.workspace import WorkspaceShowReport

OUTPUTS: Final[Mapping[str, type[Document]]] = {
    "error": ErrorReport,
    "list": ListReport,
    "show": ShowReport,
    "search": SearchReport,
    "status": StatusReport,
    "status-against": AgainstReport,
    "status-short": ShortReport,
    "queue": QueueReport,
    "inbox": InboxReport,
    "merge-file": MergeFileReport,
    "snapshot": SnapshotReport,
    "forget": ForgetReport,
    "change": ChangeReport,
    "history": HistoryReport,
    "compose": ComposeReport,
    "why": WhyReport,
    "why-all": WhyAllReport,
    "diff": DiffReport,
    "duplicates": DuplicatesReport,
    "brief": BriefReport,
    "consolidate": ConsolidateReport,
    "migrate-shaktra": MigrateReport,
    "check": CheckReport,
    "check-prompt": CheckPromptReport,
    "detect": DetectReport,
    "detect-all": DetectAllReport,
    "layout-list": LayoutsReport,
    "config-path": ConfigPathReport,
    "config-show": ConfigShowReport,
    "applied": AppliedReport,
    "learn-curate": CurateReport,
    "learn-decay": DecayReport,
    "learn-list": LearnListReport,
    "learn-merge": MergeReport,
    "retro-list": RetroListReport,
    "retro-show": RetroShowReport,
    "retro-prompt": RetroPromptReport,
    "retro-ingest": RetroIngestReport,
    "retro-diff": RetroDiffReport,
    "estimates-show": EstimatesShowReport,
    "persona-list": PersonaListReport,
    "persona-shared": PersonaSharedReport,
    "persona-show": PersonaShowReport,
    "persona-diff": PersonaDiffReport,
    "persona-prompt": PersonaPromptReport,
    "persona-compact": PersonaCompactReport,
    "personas-compact": PersonasCompactReport,
    "export": ExportReport,
    "import": ImportReport,
    "memory-store": MemoryStoreReport,
    "memory-recent": MemoryRecentReport,
    "memory-search": MemoryWordsReport,
    "memory-history": MemoryHistoryReport,
    "memory-search-path": MemorySearchReport,
    "memory-verify": MemoryVerifyReport,
    "memory-reanchor": MemoryReanchorReport,
    "memory-refresh": MemoryRefreshReport,
    "memory-invalidate": MemoryInvalidateReport,
    "memory-supersede": MemorySupersedeReport,
    "memory-log-applied": MemoryAppliedReport,
    "memory-read-citation": MemoryCitationReport,
    "memory-stats": MemoryStatsReport,
    "mcp-install": InstallReport,
    "mcp-doctor": DoctorReport,
    "workspace-show": WorkspaceShowReport,
    "demo": DemoReport,
    "schema": SchemaReport,
    "screenshot": ScreenshotReport,
}
"""Name of the schema in `schemas/output/` → the document."""
