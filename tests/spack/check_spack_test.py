# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_spack finds nothing wrong in this checkout, whose path is the first argument, and finds each thing broken on purpose
in a copy of what it reads."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from check_spack import Check

TOP = Path(sys.argv.pop(1))
RECIPE = "spack/spack_repo/onetrip/packages/onetrip/package.py"
REPO = "spack/spack_repo/onetrip/repo.yaml"
CUDA = "spack/envs/cuda/spack.yaml"

# file, what is replaced, by what, what the check then says
BROKEN = [
    (RECIPE, "def cmake_args(self):", "def cmake_args(self)", "does not compile"),
    (RECIPE, "class Onetrip(", "class OneTrip(", "has OneTrip, not the class Onetrip"),
    (RECIPE, "ONETRIP_BUILD_APPS", "ONETRIP_ENABLE_APPS", "ONETRIP_ENABLE_APPS is no option of CMakeLists.txt"),
    ("CMakeLists.txt", "option(ONETRIP_BUILD_BENCH", "option(ONETRIP_BENCH", "ONETRIP_BUILD_BENCH is no option"),
    (RECIPE, '_APPS", "apps"', '_APPS", "programs"', "no variant programs"),
    (RECIPE, 'msg="+cuda needs', 'note="+cuda needs', "conflicts without msg"),
    (RECIPE, 'msg="Kokkos 4 needs', 'note="Kokkos 4 needs', "requires without msg"),
    (RECIPE, 'depends_on("kokkos+openmp"', 'depend_on("kokkos+openmp"', "depend_on is no directive"),
    (RECIPE, 'depends_on("cli11', 'depend_on("cli11', "depend_on is no directive"),
    (RECIPE, '"spack", "consumer"', '"spack", "user"', "no project in tests/spack/user"),
    (RECIPE, '"""run fusion on small arrays"""', "pass", "test_fusion has no docstring"),
    (RECIPE, 'version("main"', 'version("9.0.0"', "version 9.0.0, but project(VERSION"),
    (RECIPE, 'version("main"', 'version("0.0.1"', "version 0.0.1 without sha256 or commit"),
    (RECIPE, "kokkos@4.6:5", "kokkos@4.7:5", "depends on kokkos@4.7:5, CMake on kokkos@4.6:5"),
    ("CMakeLists.txt", "_required(VERSION 3.25)", "_required(VERSION 3.28)", "depends on cmake@3.25:, CMake on cmake@3.28:"),
    (REPO, "namespace: onetrip", "namespace: two", "namespace two in the folder onetrip"),
    (REPO, "api: v2.2", "api: v1.0", "api v1.0, not v2"),
    ("spack-repo-index.yaml", "spack_repo/onetrip", "onetrip", "no repository in spack/onetrip"),
    ("spack.yaml", "specs:", "spec:", "Spack has no section spec"),
    ("spack.yaml", "spack:", "spack: [", "does not load"),
    ("spack.yaml", "+apps", "+programs", "no variant programs"),
    ("spack.yaml", "path: .", "path: ./src", "onetrip is not in ./src"),
    (CUDA, "path: ../../..", "path: ../..", "onetrip is not in ../.."),
    (CUDA, "../../spack_repo/onetrip", "../spack_repo/onetrip", "no repository onetrip in ../spack_repo/onetrip"),
    (CUDA, "- site.yaml", "- sites.yaml", "spack/envs/cuda/sites.yaml: does not load"),
    (CUDA, "+cuda cuda_arch=90\n", "+cuda cuda_arch=80\n", "several cuda_arch: 80, 90"),
    ("spack/envs/cuda/site.yaml", "packages:", "package:", "Spack has no section package"),
]


class CheckSpack(unittest.TestCase):
    maxDiff = None

    def test_this_checkout(self):
        self.assertEqual(Check(TOP).run(), [])

    def test_broken_on_purpose(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            for part in ("spack", "cmake", "tests"):
                shutil.copytree(TOP / part, top / part)
            for file in ("CMakeLists.txt", "spack-repo-index.yaml", "spack.yaml"):
                shutil.copy(TOP / file, top)
            self.assertEqual(Check(top).run(), [])
            for file, old, new, says in BROKEN:
                with self.subTest(file=file, new=new):
                    text = (top / file).read_text()
                    self.assertIn(old, text)
                    (top / file).write_text(text.replace(old, new, 1))
                    self.assertIn(says, "\n".join(Check(top).run()))
                    (top / file).write_text(text)


if __name__ == "__main__":
    unittest.main()
