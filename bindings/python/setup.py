"""Puts the shared library named by EINSPUL_LIBRARY into the wheel; such a wheel is for one platform.

A library for glibc that needs nothing else, so one with zstd inside, makes a manylinux wheel (PEP 600): it
runs wherever glibc is as new as the newest of its functions that the library uses.
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

LIBRARY = os.environ.get("EINSPUL_LIBRARY")
OF_GLIBC = re.compile(r"(libc|libm|libdl|librt|libpthread|ld-linux.*)\.so\.\d+")


def platform_of(library: str, plain: str) -> str:
    """The platform of a wheel with the library: "manylinux_2_33_x86_64", or `plain`, "linux_x86_64"."""
    try:
        said = subprocess.run(
            ["readelf", "-W", "-d", "-V", library], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return plain
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said)
    versions = [int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", said)]
    if not versions or not all(OF_GLIBC.fullmatch(name) for name in needed):
        return plain
    return plain.replace("linux", f"manylinux_2_{max(versions)}", 1)


class WithLibrary(Distribution):
    """What is compiled belongs with the platform's packages, not with those of pure Python."""

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
    """Any Python 3, and any platform unless the library is inside."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "py3", "none", platform_of(LIBRARY, platform) if LIBRARY else "any"


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": Wheel}, distclass=WithLibrary)
