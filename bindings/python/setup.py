"""Bundles the library named by EINSPUL_LIBRARY into a platform-specific wheel."""

import os
import pathlib
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

LIBRARY = os.environ.get("EINSPUL_LIBRARY")


class WithLibrary(Distribution):
    """Installs into platlib if a shared library is bundled."""

    def has_ext_modules(self) -> bool:
        return bool(LIBRARY)


class BuildWithLibrary(build_py):
    """Copies the library beside the package's modules."""

    def run(self) -> None:
        super().run()
        if LIBRARY:
            suffix = ".dll" if LIBRARY.endswith(".dll") else ".dylib" if ".dylib" in LIBRARY else ".so"
            to = pathlib.Path(self.build_lib, "einspul", "libeinspul" + suffix)
            shutil.copyfile(LIBRARY, to)


class Wheel(bdist_wheel):
    """Tags the wheel py3-none-any, or py3-none-PLATFORM if it bundles the library."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "py3", "none", platform if LIBRARY else "any"


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": Wheel}, distclass=WithLibrary)
