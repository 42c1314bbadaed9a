"""Tools that are known from their pages, their published code, or a few runs, as data.

What stands here is as in `tool_data.py`, with its proofs beside it; the quotes are of the copies
of the pages that could be read, and the day is that of the reading.
"""

from __future__ import annotations

from typing import Final

from remem.model.loader import Above, Below, Fact, Keeps, Listing, Loads, Names, Proof, Tool
from remem.model.source import LoaderKind
from remem.systems.plain.tools.further_layouts import (
    AGENT,
    AIDER_DOCS,
    AMP_DOCS,
    CONTINUE_DOCS,
    CRUSH_HOME,
    GOOSE_DOCS,
    HERMES_CODE,
    HERMES_DOCS,
    JUNIE_DOCS,
    JUNIE_README_DOCS,
    KIRO_DOCS,
    ROO_DOCS,
    WARP_DOCS,
    ZED_DOCS,
)
from remem.systems.plain.tools.tool_ids import AIDER, HERMES

_READ: Final = "2026-11-25"
_AGENTS: Final = "agents-md"
_ORDER: Final = "in what order it takes its files"


def _page(page: str, says: str, version: str = "") -> tuple[Proof, ...]:
    return (Proof(says=says, page=page, read=_READ, version=version),)


def _continue_did(says: str) -> tuple[Proof, ...]:
    return (Proof(says=says, read=_READ, version="Continue CLI 1.5.47"),)


def _lists(
    layout: str,
    proofs: tuple[Proof, ...],
    above: Above = Above.NONE,
    *,
    is_own: bool = False,
    by_disk: bool = False,
) -> Loads:
    """Return the row of skills of which name and description are listed."""
    return Loads(
        layout=layout,
        is_own=is_own,
        stage=3,
        above=above,
        loader=LoaderKind.DESCRIBED,
        lists=True,
        by_disk=by_disk,
        proofs=proofs,
    )


_AMP_READS: Final = _page(
    AMP_DOCS,
    "`AGENTS.md` files in the current working directory (or editor workspace roots) and parent "
    "directories (up to `$HOME`) are always included.",
)
_AMP_FALLS_BACK: Final = _page(
    AMP_DOCS,
    "If no `AGENTS.md` exists in a directory, but a file named `AGENT.md` (without an `S`) or "
    "`CLAUDE.md` does exist, that file will be included.",
)
_AMP_BELOW: Final = _page(
    AMP_DOCS, "Subtree `AGENTS.md` files are included when the agent reads a file in the subtree."
)
_AMP_HOME: Final = _page(
    AMP_DOCS,
    "System-wide guidance files, as well as both `$HOME/.config/amp/AGENTS.md` and "
    "`$HOME/.config/AGENTS.md`, are always included if they exist.",
)
_AMP_SKILLS: Final = _page(
    AMP_DOCS,
    "The `name` and `description` are always visible to the model and determine when it "
    "invokes the skill.",
)

_AMP_TOOL: Final = Tool(
    id="amp",
    title="Amp",
    loads=(
        Loads(layout="amp-user", stage=0, proofs=_AMP_HOME),
        Loads(layout="config-agents", is_own=False, stage=0, proofs=_AMP_HOME),
        Loads(
            layout=_AGENTS,
            is_own=False,
            above=Above.ALL,
            below=Below.ON_WORK,
            proofs=_AMP_READS,
            late=_AMP_BELOW,
            unknown=f"{_ORDER}, and whether those above the home folder are left alone",
        ),
        Loads(
            layout=AGENT,
            above=Above.ALL,
            below=Below.ON_WORK,
            unless_beside=(_AGENTS,),
            proofs=_AMP_FALLS_BACK,
            late=_AMP_BELOW,
        ),
        Loads(
            layout="claude-md",
            is_own=False,
            above=Above.ALL,
            below=Below.ON_WORK,
            unless_beside=(_AGENTS, AGENT),
            proofs=_AMP_FALLS_BACK,
            late=_AMP_BELOW,
        ),
        _lists("agents-user-skills", _AMP_SKILLS),
        _lists("agents-skills", _AMP_SKILLS),
        _lists("claude-skills-below", _AMP_SKILLS),
        _lists("claude-user-skills", _AMP_SKILLS),
    ),
    unseen=(
        "guidance of the whole system in `/etc/ampcode/AGENTS.md`",
        "what `@` names in these files, with its `globs`",
        "skills in `~/.config/agents/skills` and `~/.config/amp/skills`",
    ),
)

_ZED_FIRST: Final = _page(
    ZED_DOCS,
    "Project instruction files apply to the current project. Zed uses the first matching file in "
    "this list",
)
_ZED_LIST: Final = (
    ("zed-rules", True),
    ("cursorrules", False),
    ("windsurfrules", False),
    ("cline-rules", False),
    ("copilot-instructions", False),
    (AGENT, False),
    (_AGENTS, False),
    ("claude-md", False),
    ("gemini-md", False),
)
"""In the order of the page; the first that is there is the only one."""

_ZED_TOOL: Final = Tool(
    id="zed",
    title="Zed",
    loads=(
        Loads(
            layout="zed-user",
            stage=0,
            proofs=_page(
                ZED_DOCS,
                "Personal instructions apply to every project you open with the Zed Agent.",
            ),
        ),
        *(
            Loads(
                layout=layout,
                is_own=is_own,
                most_parts=1 if layout == "cline-rules" else 0,
                unless_beside=tuple(name for name, _ in _ZED_LIST[:at]),
                loader=LoaderKind.WHOLE,
                keeps=Keeps.FRONT,
                proofs=_ZED_FIRST,
            )
            for at, (layout, is_own) in enumerate(_ZED_LIST)
        ),
    ),
    unseen=(
        "skills",
        "rules in its Rules Library, which are kept in its settings",
        "what an agent from outside reads itself, which Zed starts in its panel",
    ),
)

_JUNIE_NAMES: Final = _page(
    JUNIE_README_DOCS,
    "You can define your coding style, best practices, and general preferences in "
    "`.junie/AGENTS.md` or `AGENTS.md`.",
)
_JUNIE_TOOL: Final = Tool(
    id="junie",
    title="Junie",
    loads=(
        Loads(layout="junie-agents", proofs=_JUNIE_NAMES),
        Loads(
            layout=_AGENTS,
            is_own=False,
            unless_beside=("junie-agents",),
            proofs=_JUNIE_NAMES,
            unknown="whether `.junie/AGENTS.md` keeps it out, as others say of it",
        ),
        Loads(
            layout="junie-guidelines",
            unless_beside=("junie-agents", _AGENTS),
            proofs=_page(
                JUNIE_DOCS,
                "By default, Junie looks for agent guidelines at `.junie/guidelines.md` in the "
                "root folder of the configured project.",
                "page of 24 November 2025",
            ),
            unknown="whether an `AGENTS.md` keeps it out, as others say of it",
        ),
    ),
    unseen=(
        "another path that *Guidelines path* in its settings names",
        "a person's `~/.junie/AGENTS.md`, and `.junie/rules`",
    ),
)

_KIRO_AGENTS: Final = _page(
    KIRO_DOCS,
    "You can add AGENTS.md files to the global steering file location (`~/.kiro/steering/`), or to "
    "the root folder of your workspace, and they will get picked up by Kiro automatically.",
    "page of 16 November 2025",
)
_KIRO_MATCHES: Final = _page(
    KIRO_DOCS,
    "Files are automatically included only when working with files that match the specified "
    "pattern.",
    "page of 16 November 2025",
)
_KIRO_TOOL: Final = Tool(
    id="kiro",
    title="Kiro",
    loads=(
        Loads(
            layout="kiro-user",
            stage=0,
            proofs=_page(
                KIRO_DOCS,
                "Global steering files reside in your home directory under `~/.kiro/steering/`, "
                "and apply to all workspaces.",
                "page of 16 November 2025",
            ),
            unknown=f"{_ORDER}; of these, `fileMatch` was said not to work",
        ),
        Loads(
            layout="kiro-steering",
            proofs=_page(
                KIRO_DOCS,
                "Workspace steering files reside in your workspace root folder under "
                "`.kiro/steering/`, and apply only to that specific workspace.",
                "page of 16 November 2025",
            ),
            late=_KIRO_MATCHES,
        ),
        Loads(
            layout=_AGENTS,
            is_own=False,
            stage=2,
            proofs=(
                *_KIRO_AGENTS,
                *_page(
                    KIRO_DOCS,
                    "AGENTS.md files are also discovered in subdirectories throughout your "
                    "workspace.",
                    "page of September 2026, as others quote it",
                ),
            ),
            below=Below.AT_START,
            unknown="whether those of folders below are there from the start",
        ),
    ),
    unseen=(
        "what `#[[file:…]]` names in these files",
        "agents of `.kiro/agents`, whose `resources` say what they load",
    ),
)

_ROO_COMBINES: Final = _page(
    ROO_DOCS,
    "Contents of AGENTS.md or AGENT.md from workspace root if present and enabled",
)
_ROO_TOOL: Final = Tool(
    id="roo-code",
    title="Roo Code",
    loads=(
        Loads(
            layout="roo-mode-rules",
            stage=0,
            proofs=_page(
                ROO_DOCS,
                "Mode-Specific Instructions: Apply only to a specific mode (e.g., `code`).",
            ),
            loader=LoaderKind.NOT_KNOWN,
            unknown="it is for one mode alone, which its name says",
        ),
        Loads(layout=_AGENTS, is_own=False, proofs=_ROO_COMBINES),
        Loads(layout=AGENT, is_own=False, unless_beside=(_AGENTS,), proofs=_ROO_COMBINES),
        Loads(
            layout="roo-user",
            stage=2,
            proofs=_page(
                ROO_DOCS,
                "Rules are loaded in order: Global rules first, then workspace rules (which can "
                "override global rules).",
            ),
        ),
        Loads(
            layout="roo-rules",
            stage=2,
            proofs=_page(
                ROO_DOCS,
                "Roo Code reads files recursively (including subdirectories), appending their "
                "content to the system prompt in alphabetical order based on filename.",
            ),
        ),
        Loads(
            layout="roorules",
            stage=3,
            unless_beside=("roo-rules",),
            unless_there=("roo-user",),
            proofs=_page(
                ROO_DOCS,
                "Contents of .roorules file if no general rules directories have files",
            ),
        ),
    ),
    unseen=(
        "instructions that are kept in its settings, for all modes or one",
        "`.clinerules`, which it takes where nothing else is there, as its page says",
        "rules for one mode in `.roorules-…` and `~/.roo/rules-…`",
    ),
)

_CONTINUE_TOOL: Final = Tool(
    id="continue",
    title="Continue",
    follows_no="folder",
    listing=Listing.ALL,
    names=Names.TEXTS,
    loads=(
        Loads(
            layout=_AGENTS,
            is_own=False,
            even_empty=True,
            proofs=_continue_did("that of the working folder alone; it stands first"),
        ),
        *(
            Loads(
                layout=layout,
                is_own=False,
                unless_beside=before,
                even_empty=True,
                proofs=_continue_did(
                    "of `AGENTS.md`, `AGENT.md`, `CLAUDE.md` and `CODEX.md` the first that is "
                    "there, be it empty"
                ),
            )
            for layout, before in (
                (AGENT, (_AGENTS,)),
                ("claude-md", (_AGENTS, AGENT)),
                ("codex-md", (_AGENTS, AGENT, "claude-md")),
            )
        ),
        Loads(
            layout="continue-rules",
            stage=2,
            files_first=True,
            proofs=(
                *_page(
                    CONTINUE_DOCS,
                    "Rules files are loaded in lexicographical order, so you can prefix them with "
                    "numbers to control the order in which they are applied.",
                ),
                *_continue_did(
                    "of the working folder alone, without front matter; those of a folder before "
                    "those of the folders in it"
                ),
            ),
            late=_page(
                CONTINUE_DOCS,
                "`globs` (optional): When files are provided as context that match this glob "
                "pattern, the rule will be included.",
            ),
        ),
        Loads(
            layout="continue-user",
            stage=3,
            files_first=True,
            proofs=_continue_did("behind the project's"),
        ),
        _lists("continue-skills", _continue_did("listed first"), is_own=True, by_disk=True),
        _lists("claude-skills", _continue_did("listed behind those of `.continue`"), by_disk=True),
        _lists(
            "continue-user-skills",
            _continue_did("listed last; `~/.claude/skills` is not"),
            by_disk=True,
        ),
    ),
    facts=(
        Fact(
            rule="a rule with `globs` or `regex` is not there at the start, whatever they fit",
            proof=_continue_did('`globs: "**/*"` and `"**"` neither')[0],
        ),
        Fact(
            rule="of a rule with `alwaysApply: false` not even the description is listed",
            proof=_continue_did("neither its text nor its description")[0],
        ),
        Fact(
            rule="a skill whose folder is a link is not listed",
            proof=Proof(
                says="one whose file is a link is, and those in a `skills` that is one",
                read="2026-11-28",
                version="Continue 1.5.47",
            ),
        ),
    ),
    unseen=(
        "rules of its hub, and those of `config.yaml`",
        "what its editors load otherwise: this is its command line",
    ),
)

_AIDER_TOOL: Final = Tool(
    id=AIDER,
    title="Aider",
    loads=(
        Loads(
            layout="aider-conventions",
            is_own=False,
            proofs=_page(
                AIDER_DOCS,
                "It's best to load the conventions file with `/read CONVENTIONS.md` or `aider "
                "--read CONVENTIONS.md`.",
            ),
        ),
    ),
    facts=(
        Fact(
            rule="files that `read` in `.aider.conf.yml` names are loaded at every start",
            proof=_page(
                AIDER_DOCS,
                "You can also configure aider to always load your conventions file in the "
                "`.aider.conf.yml` config file",
            )[0],
        ),
    ),
    unseen=("its map of the repository",),
)
"""It reads nothing by itself: what its settings name is added where they are read."""

_GOOSE_LEVELS: Final = _page(
    GOOSE_DOCS,
    "When your session starts, goose loads the configured context files from your working "
    "directory up to the repository root.",
)
_GOOSE_NESTED: Final = _page(
    GOOSE_DOCS,
    "As goose reads or modifies files in nested subdirectories, it can also discover and load "
    "additional hint files from those directories automatically.",
)
_GOOSE_TOOL: Final = Tool(
    id="goose",
    title="Goose",
    loads=(
        Loads(
            layout="goose-user",
            stage=0,
            proofs=_page(
                GOOSE_DOCS,
                "goose looks for each configured filename in both global (`~/.config/goose/`) and "
                "local project locations",
            ),
        ),
        *(
            Loads(
                layout=layout,
                is_own=layout == "goosehints",
                above=Above.CHECKOUT,
                below=Below.ON_WORK,
                proofs=(
                    *_GOOSE_LEVELS,
                    *_page(
                        GOOSE_DOCS,
                        "goose looks for `AGENTS.md` then `.goosehints` files by default",
                    ),
                ),
                late=_GOOSE_NESTED,
            )
            for layout in (_AGENTS, "goosehints")
        ),
    ),
    unseen=(
        "other names that `CONTEXT_FILE_NAMES` sets",
        "what `@` names in these files",
    ),
)

_WARP_HERE: Final = _page(
    WARP_DOCS,
    "Warp automatically applies the `WARP.md` in the root and in the current directory.",
    "from the page before `AGENTS.md`",
)
_WARP_BELOW: Final = _page(
    WARP_DOCS,
    "If you edit files in another subdirectory, Warp makes a best-effort attempt to include that "
    "subdirectory’s `WARP.md` as well.",
    "from the page before `AGENTS.md`",
)
_WARP_TOOL: Final = Tool(
    id="warp",
    title="Warp",
    loads=(
        Loads(
            layout="warp-md",
            above=Above.TOP,
            below=Below.ON_WORK,
            proofs=_WARP_HERE,
            late=_WARP_BELOW,
        ),
        Loads(
            layout=_AGENTS,
            is_own=False,
            above=Above.TOP,
            below=Below.ON_WORK,
            unless_beside=("warp-md",),
            proofs=_page(
                WARP_DOCS,
                "They're stored in an `AGENTS.md` file (or `WARP.md` for backwards compatibility)",
            ),
            late=_WARP_BELOW,
        ),
    ),
    unseen=(
        "global rules, which are kept in its account",
        "skills",
    ),
)

_CRUSH_VERSION: Final = "Crush, commit 37f36e938"
_CRUSH_CODE: Final = f"{CRUSH_HOME}/blob/main/internal/config/config.go"
_CRUSH_SKILLS: Final = f"{CRUSH_HOME}#agent-skills"
_CRUSH_LISTED: Final = _page(
    _CRUSH_CODE,
    "`defaultContextPaths` names it",
    _CRUSH_VERSION,
)
_CRUSH_PLACES: Final = _page(
    _CRUSH_SKILLS,
    "On top of that, we also load skills in your project from the following relative paths",
    _CRUSH_VERSION,
)
_CRUSH_TOOL: Final = Tool(
    id="crush",
    title="Crush",
    loads=(
        *(
            Loads(
                layout=layout,
                is_own=layout == "crush-user",
                stage=4,
                proofs=_page(
                    f"{CRUSH_HOME}#global-context-files",
                    "Crush automatically includes two files for cross-project instructions.",
                    _CRUSH_VERSION,
                ),
            )
            for layout in ("crush-user", "config-agents")
        ),
        *(
            Loads(
                layout=layout,
                is_own=layout == "crush-md",
                loader=LoaderKind.WHOLE,
                keeps=Keeps.FRONT,
                proofs=_CRUSH_LISTED,
            )
            for layout in (
                "copilot-instructions",
                "cursor-rules",
                "cursor-rules-md",
                "cursorrules",
                _AGENTS,
                "claude-local-md",
                "claude-md",
                "crush-md",
                "gemini-md",
            )
        ),
        *(
            _lists(layout, _CRUSH_PLACES, above, is_own=layout == "crush-skills")
            for layout, above in (
                ("agents-skills", Above.TOP),
                ("crush-skills", Above.TOP),
                ("claude-skills-below", Above.TOP),
                ("agents-user-skills", Above.NONE),
                ("claude-user-skills", Above.NONE),
            )
        ),
    ),
    facts=(
        Fact(
            rule="its files stand in no fixed order: it changes from start to start",
            proof=_page(
                f"{CRUSH_HOME}/blob/main/internal/agent/prompt/prompt.go",
                "`for _, files := range contextFiles` runs over a map",
                _CRUSH_VERSION,
            )[0],
        ),
    ),
    unseen=(
        "files that `context_paths` in `crush.json` names",
        "skills in `.cursor/skills`, `~/.config/crush/skills` and `~/.config/agents/skills`",
    ),
)

# Of a project Hermes takes one kind of instructions: the first there is of its own file,
# `AGENTS.md`, `CLAUDE.md` and Cursor's rules. While it works it takes those of the folders that it
# comes to.
_HERMES_RUN: Final = "2026-11-28"
_HERMES_COMMIT: Final = "commit 00067189d"
_HERMES_CONSTANTS: Final = (
    "https://github.com/NousResearch/hermes-agent/blob/main/hermes_constants.py"
)
_OVERRIDE: Final = "agents-override-md"
_HERMES_OWN: Final = "hermes-md"
_CLAUDE_MD: Final = "claude-md"
_HERMES_CUTS: Final = "of one with more than 6 % of its model's window, the middle is left out"


def _hermes_did(says: str) -> Proof:
    return Proof(says=says, read=_HERMES_RUN, version="Hermes 0.19.0")


def _hermes_code(says: str, page: str = HERMES_CODE, version: str = _HERMES_COMMIT) -> Proof:
    return Proof(says=says, page=page, read=_HERMES_RUN, version=version)


def _hermes_page(says: str) -> Proof:
    return Proof(says=says, page=HERMES_DOCS, read="2026-11-25", version="0.22.2")


_HERMES_FROZEN: Final = _hermes_page(
    "Both are stored in `~/.hermes/memories/` and are injected into the system prompt as a frozen "
    "snapshot at session start."
)
_HERMES_BOUNDED: Final = _hermes_page(
    "**MEMORY.md** | Agent's personal notes — environment facts, conventions, things learned | "
    "2,200 chars (~800 tokens)"
)
_HERMES_LATE: Final = _hermes_code(
    '_HINT_FILENAMES = ["AGENTS.override.md", "AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", '
    '".cursorrules"]',
    "https://github.com/NousResearch/hermes-agent/blob/main/agent/subdirectory_hints.py",
    "commit 0081f93d1",
)
_HERMES_BELOW: Final = (_OVERRIDE, _AGENTS, _CLAUDE_MD, "cursorrules")
"""Of each folder that it comes to it takes the first of these, whatever it took at the start."""
_HERMES_CHAIN: Final = _hermes_code(
    "Directories to check for AGENTS.md: git root first, cwd last (deeper = precedence); cwd only "
    "without a root."
)
_HERMES_FIRST: Final = _hermes_code("Only ONE project context type loads, first found wins")


_HERMES_TOOL: Final = Tool(
    id=HERMES,
    title="Hermes",
    loads=(
        *(
            Loads(
                layout=layout,
                is_own=False,
                below=Below.ON_WORK,
                below_alone=True,
                unless_beside=_HERMES_BELOW[:at],
                proofs=(_HERMES_LATE,),
                late=(_HERMES_LATE,),
            )
            for at, layout in enumerate(_HERMES_BELOW)
        ),
        Loads(
            layout="hermes-soul",
            stage=0,
            proofs=(
                _hermes_did("it stands first, for what else says who Hermes is"),
                _hermes_code("SOUL.md from HERMES_HOME (identity slot #1), or None."),
            ),
        ),
        Loads(
            layout=_HERMES_OWN,
            above=Above.CHECKOUT,
            nearest=True,
            keeps=Keeps.BODY,
            proofs=(_hermes_did("the nearest up to the top of the checkout, `.hermes.md` first"),),
        ),
        Loads(
            layout=_OVERRIDE,
            is_own=False,
            above=Above.CHECKOUT,
            unless=(_HERMES_OWN,),
            proofs=(_hermes_code("Per directory the first of `AGENTS.override.md` / `AGENTS.md`"),),
        ),
        Loads(
            layout=_AGENTS,
            is_own=False,
            above=Above.CHECKOUT,
            unless=(_HERMES_OWN,),
            unless_beside=(_OVERRIDE,),
            proofs=(_HERMES_CHAIN, _hermes_did("that of the working folder, under `## AGENTS.md`")),
        ),
        Loads(
            layout=_CLAUDE_MD,
            is_own=False,
            unless=(_HERMES_OWN, _OVERRIDE, _AGENTS),
            proofs=(
                _hermes_did("that of the working folder, where nothing before it is"),
                _HERMES_FIRST,
            ),
        ),
        Loads(
            layout="cursorrules",
            is_own=False,
            unless=(_HERMES_OWN, _OVERRIDE, _AGENTS, _CLAUDE_MD),
            proofs=(_hermes_did("before the rules in `.cursor/rules`"), _HERMES_FIRST),
        ),
        Loads(
            layout="cursor-rules",
            is_own=False,
            loader=LoaderKind.WHOLE,
            keeps=Keeps.FRONT,
            most_parts=3,
            unless=(_HERMES_OWN, _OVERRIDE, _AGENTS, _CLAUDE_MD),
            proofs=(
                _hermes_did("all of them by name, whatever their front matter says"),
                _HERMES_FIRST,
            ),
        ),
        Loads(
            layout="hermes-memory",
            stage=4,
            proofs=(
                _HERMES_FROZEN,
                _HERMES_BOUNDED,
                _hermes_did("last but one, whole: its limit is for writing"),
            ),
        ),
        Loads(layout="hermes-user", stage=5, proofs=(_HERMES_FROZEN, _hermes_did("last of all"))),
    ),
    facts=(
        Fact(
            rule="`HERMES_HOME` moves `~/.hermes`",
            proof=Proof(
                says='val = os.environ.get("HERMES_HOME", "").strip()',
                page=_HERMES_CONSTANTS,
                read="2026-11-25",
            ),
        ),
        Fact(
            rule="versions up to 0.19.0, the last on PyPI, take the `AGENTS.md` of the working "
            "folder alone, and no `AGENTS.override.md`",
            proof=_hermes_did("started in `sub/`, `../AGENTS.md` is not in the first request"),
        ),
        Fact(
            rule="of a text that its scanner takes for an attack a note alone is handed on",
            proof=_hermes_did("`[BLOCKED: AGENTS.md contained potential prompt injection`"),
        ),
        Fact(
            rule="of its memory an entry that stands there twice comes once",
            proof=_hermes_did("of `same`, `same`, `other` in `USER.md` it gets `same`, `other`"),
        ),
        Fact(
            rule="`memory_enabled` and `user_profile_enabled` in `config.yaml` turn them off",
            proof=_hermes_did("also `no`, `off`, `0` and nothing; a quoted `no` does not"),
        ),
        Fact(
            rule=f"{_HERMES_CUTS}; up to 20,000 characters always come whole",
            proof=_hermes_code("Head/tail truncation with a marker in the middle"),
        ),
    ),
    unseen=(
        "the line above each of the two files in `memories`, which tells how full it is",
        "its skills, of which it lists name and description",
        "`agents.md` and `claude.md` in small letters, and one text that several folders repeat",
        "what else its `config.yaml` says, its profiles, and memory of another provider",
    ),
)

FURTHER_TOOLS: Final[tuple[Tool, ...]] = (
    _HERMES_TOOL,
    _AMP_TOOL,
    _ZED_TOOL,
    _JUNIE_TOOL,
    _KIRO_TOOL,
    _ROO_TOOL,
    _CONTINUE_TOOL,
    _AIDER_TOOL,
    _GOOSE_TOOL,
    _WARP_TOOL,
    _CRUSH_TOOL,
)
