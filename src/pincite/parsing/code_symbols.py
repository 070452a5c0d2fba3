"""Source code: which language a file name's ending means, and how its lines define symbols."""

from typing import Final

#: A line that defines a symbol of a language: the group `kind` is its keyword, if there is one, `name` its name.
#: From the languages' own grammars, as far as one line shows them.
_NAME: Final = r"(?P<name>[A-Za-z_$][\w$]*)"
_MODIFIERS: Final = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|override|virtual|async|export|"
    r"default|open|data|inline|suspend|pub(?:\([a-z]+\))?|unsafe|extern(?: \"C\")?|const|readonly|declare|local|"
    r"implicit|case|lazy|mutating|fileprivate|synchronized|native|constexpr|virtual)\s+)*"
)
_C_FUNCTION: Final = (
    r"(?!(?:return|else|if|for|while|switch|case|throw|new|delete|goto|do|await|yield)\b)"
    r"(?:[A-Za-z_][\w:<>,*&\[\]?. ]*[\s*&])(?P<name>~?[A-Za-z_][\w:]*)"
    r"\s*\([^;]*(?:\{|,|\)|\()\s*(?:const|noexcept|\{|\s)*$"
)
_PYTHON: Final = (rf"(?:async\s+)?(?P<kind>def|class)\s+{_NAME}",)
_SCRIPT: Final = (
    rf"{_MODIFIERS}(?P<kind>class|interface|enum|namespace|function\*?|type)\s+{_NAME}",
    rf"{_MODIFIERS}(?:const|let|var)\s+{_NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)",
    rf"(?!(?:if|for|while|switch|catch|function|return|with)\b){_MODIFIERS}(?:get\s+|set\s+|\*\s*)?{_NAME}\s*\([^;]*\)\s*(?::[^{{;]+)?\{{\s*$",
)
_JAVA: Final = (
    rf"{_MODIFIERS}(?P<kind>class|interface|enum|record|@interface|struct|namespace|object|trait|delegate)\s+{_NAME}",
    rf"{_MODIFIERS}(?P<kind>fun|def)\s+(?:<[^>]+>\s*)?(?:[\w.<>?]+\.)?{_NAME}",
    rf"{_MODIFIERS}{_C_FUNCTION}",
)
_C: Final = (
    r"(?:typedef\s+|template\s*<[^>]*>\s*)?"
    rf"(?P<kind>struct|union|enum(?: class)?|class|namespace)\s+{_NAME}\s*(?:[:{{].*)?$",
    rf"#\s*(?P<kind>define)\s+{_NAME}\(",
    _C_FUNCTION,
)
_GO: Final = (
    rf"(?P<kind>func)\s+(?:\([^)]*\)\s*)?{_NAME}",
    rf"(?P<kind>type)\s+{_NAME}\s+(?:struct|interface|func|map|\[|\w)",
)
_RUST: Final = (
    rf"{_MODIFIERS}(?P<kind>fn|struct|enum|trait|mod|union|macro_rules!|type)\s+{_NAME}",
    r"(?:unsafe\s+)?(?P<kind>impl)(?:<[^>]*>)?\s+(?P<name>[^{]+?)\s*(?:where.*)?\{",
)
_RUBY: Final = (r"(?P<kind>def|class|module)\s+(?P<name>[\w.:?!=<>]+)",)
_SHELL: Final = (r"(?P<kind>function)\s+(?P<name>[\w:-]+)", r"(?P<name>[\w:-]+)\s*\(\)\s*\{?\s*$")
_PHP: Final = (rf"{_MODIFIERS}(?P<kind>function|class|interface|trait|enum|namespace)\s+&?{_NAME}",)
_SQL: Final = (
    r"(?i:create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?"
    r"(?P<kind>table|view|index|function|procedure|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?)"
    r"(?P<name>[\w.\"`\[\]]+)",
)
_LUA: Final = (
    r"(?:local\s+)?(?P<kind>function)\s+(?P<name>[\w.:]+)",
    r"(?:local\s+)?(?P<name>[\w.]+)\s*=\s*function\b",
)
_R: Final = (r"(?P<name>[\w.]+)\s*(?:<-|=)\s*function\s*\(",)
_JULIA: Final = (r"(?P<kind>function|struct|mutable struct|module|macro|abstract type)\s+(?P<name>[\w.!]+)",)
_SWIFT: Final = (
    rf"{_MODIFIERS}(?P<kind>func|class|struct|enum|protocol|extension|actor)\s+(?P<name>[\w.]+)",
    r"(?P<name>init)\s*[(<?]",
)  # fmt: skip
_ELIXIR: Final = (r"(?P<kind>defmodule|defp?|defmacrop?|defprotocol)\s+(?P<name>[\w.?!]+)",)
_PERL: Final = (r"(?P<kind>sub|package)\s+(?P<name>[\w:]+)",)
_POWERSHELL: Final = (r"(?i:(?P<kind>function|class|filter)\s+)(?P<name>[\w:-]+)",)
_HASKELL: Final = (
    r"(?P<kind>data|newtype|class|instance|module|type)\s+(?P<name>[\w.' ]+?)\s*(?:=|where|$|\()",
    r"(?P<name>[a-z][\w']*)\s*::",
)

#: Language → patterns, tried in turn on a line without its indent.
SYMBOL_PATTERNS: Final[dict[str, tuple[str, ...]]] = {
    "Python": _PYTHON, "JavaScript": _SCRIPT, "TypeScript": _SCRIPT, "Java": _JAVA, "Kotlin": _JAVA, "Scala": _JAVA,
    "C#": _JAVA, "C": _C, "C++": _C, "Go": _GO, "Rust": _RUST, "Ruby": _RUBY, "Shell": _SHELL, "PHP": _PHP, "SQL": _SQL,
    "Lua": _LUA, "R": _R, "Julia": _JULIA, "Swift": _SWIFT, "Elixir": _ELIXIR, "Perl": _PERL,
    "PowerShell": _POWERSHELL, "Haskell": _HASKELL,
}  # fmt: skip
_ENDINGS: Final = {
    "Python": ".py .pyi .pyw", "JavaScript": ".js .mjs .cjs .jsx", "TypeScript": ".ts .tsx .mts .cts", "Java": ".java",
    "Kotlin": ".kt .kts", "Scala": ".scala", "C#": ".cs", "C": ".c .h", "C++": ".cc .cpp .cxx .hpp .hh .hxx",
    "Go": ".go", "Rust": ".rs", "Ruby": ".rb", "Shell": ".sh .bash .zsh", "PHP": ".php", "SQL": ".sql", "Lua": ".lua",
    "R": ".r", "Julia": ".jl", "Swift": ".swift", "Elixir": ".ex .exs", "Perl": ".pl .pm", "PowerShell": ".ps1 .psm1",
    "Haskell": ".hs",
}  # fmt: skip
#: Ending of a file name → language.
SYMBOLS_OF: Final[dict[str, str]] = {
    ending: language for language, endings in _ENDINGS.items() for ending in endings.split()
}
