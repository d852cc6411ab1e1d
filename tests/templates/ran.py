"""A notebook that was run: its outputs, plots and files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Ran:
    cells: list[dict[str, Any]]
    folder: Path

    def printed(self, cell_id: str | None = None) -> str:
        """Return what the notebook, or one cell of it, wrote."""
        written = [output for output in self._outputs(cell_id) if output["output_type"] == "stream"]
        return "".join("".join(output["text"]) for output in written)

    def result(self, pattern: str) -> float:
        """Return the number that `pattern`, a regular expression with one group, finds in what the last cell prints."""
        last = self.printed(self.cells[-1]["id"])
        match = re.search(pattern, last)
        assert match, last
        return float(match[1].replace(",", ""))

    @property
    def plots(self) -> int:
        return sum("image/png" in output.get("data", {}) for output in self._outputs())

    @property
    def complaints(self) -> list[str]:
        """What a reader would see on red: nothing, please."""
        return ["".join(output["text"]) for output in self._outputs() if output.get("name") == "stderr"]

    def _outputs(self, cell_id: str | None = None) -> list[dict[str, Any]]:
        chosen = [cell for cell in self.cells if cell_id in (None, cell["id"])]
        return [output for cell in chosen for output in cell.get("outputs", [])]
