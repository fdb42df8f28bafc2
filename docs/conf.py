"""The documentation site: Chinese from docs/zh, English from docs; each version stays in a folder of its own."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

from umpire import __version__  # noqa: E402

lang = os.environ.get("UMPIRE_DOCS_LANG", "en")
project = "Umpire"
author = "The Umpire engineers"
copyright = "The Umpire engineers, MIT"
version = release = __version__
language = "zh_CN" if lang == "zh" else "en"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = [] if lang == "zh" else ["zh"]
html_theme = "furo"
html_title = f"Umpire {release}"
other = ("English", "../../en/latest/index.html") if lang == "zh" else ("中文", "../../zh/latest/index.html")
html_theme_options = {"announcement": f'<a href="{other[1]}">{other[0]}</a>'}
html_static_path = []
suppress_warnings = ["myst.xref_missing", "toc.not_included", "toc.not_readable", "toc.empty_glob"]
