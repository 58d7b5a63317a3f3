"""Puts the shared library named by EINSPUL_LIBRARY into the wheel; such a wheel is for one platform."""

import os
import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # an sdist needs no wheel
    bdist_wheel = None

LIBRARY = os.environ.get("EINSPUL_LIBRARY")


class BuildWithLibrary(build_py):
    """Copies the library beside the package's modules."""

    def run(self) -> None:
        super().run()
        if LIBRARY:
            suffix = ".dll" if LIBRARY.endswith(".dll") else ".dylib" if ".dylib" in LIBRARY else ".so"
            to = pathlib.Path(self.build_lib, "einspul", "libeinspul" + suffix)
            shutil.copyfile(LIBRARY, to)


commands = {"build_py": BuildWithLibrary}
if bdist_wheel is not None:

    class Wheel(bdist_wheel):
        """Any Python 3, and any platform unless the library is inside."""

        def finalize_options(self) -> None:
            super().finalize_options()
            self.root_is_pure = not LIBRARY

        def get_tag(self) -> tuple[str, str, str]:
            _, _, platform = super().get_tag()
            return "py3", "none", platform if LIBRARY else "any"

    commands["bdist_wheel"] = Wheel

setup(cmdclass=commands)
