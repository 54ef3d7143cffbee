"""Builds what pyproject.toml says, and lays papers (`retold help`) and an example (`new-game`) into `cli`."""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
EXAMPLE = HERE / "examples/guests/lanterns"
PAPERS = sorted(
    [
        *(HERE / "docs/language.md", *(HERE / "docs/rules").glob("*.md")),
        *(EXAMPLE / "pyproject.toml", *EXAMPLE.glob("retold_lanterns/*.*"), *EXAMPLE.glob("tests/*.*")),
    ]
)
CORE = ("journal*", "projections*", "cli*")  # lie beside retold, and are installed inside it
PACKAGES = {
    "retold",
    *(f"retold.{name}" for name in (*find_packages("retold"), *find_packages(include=CORE))),
}


class BuildWithPapers(build_py):  # type: ignore[misc]  # setuptools brings no types of its own
    """The packages, and a copy of the papers; installed from its folder, Retold reads them where they lie."""

    def run(self) -> None:
        """Builds the packages, then copies the papers."""
        super().run()
        if not self.editable_mode:
            for paper in PAPERS:
                copy = Path(self.build_lib, "retold/cli", paper.relative_to(HERE))
                self.mkpath(str(copy.parent))
                self.copy_file(str(paper), str(copy), preserve_mode=False)

    def get_source_files(self) -> list[str]:
        """What a source distribution holds: the papers too, so that it can be built again from that."""
        return [*super().get_source_files(), *(str(paper.relative_to(HERE)) for paper in PAPERS)]


setup(packages=sorted(PACKAGES), cmdclass={"build_py": BuildWithPapers})
