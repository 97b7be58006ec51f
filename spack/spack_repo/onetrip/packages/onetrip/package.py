# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage
from spack_repo.builtin.packages.kokkos.package import Kokkos

from spack.package import *


class Onetrip(CMakePackage, CudaPackage, ROCmPackage):
    """Make data move once, and count every trip: a C++20 library on Kokkos.

    It runs where Kokkos does: on the host, on CUDA and, compiled by design but never run, on ROCm."""

    # The repository that this recipe came with.
    git = Path(__file__).resolve().parents[5].as_uri()

    license("Apache-2.0 WITH LLVM-exception")

    # Nothing is released yet. A release adds its archive: version("0.1.0", sha256=..., url=...)
    version("main", branch="main")

    variant("openmp", default=True, description="Run on the host with OpenMP")
    variant("rocm", default=False, description="Run on ROCm: compiles by design, untested")
    variant("mpi", default=False, description="Add onetrip::mpi, which marches over ranks")
    variant("apps", default=False, description="Install the programs fusion and heat1d")
    variant("kernels", default=False, when="+apps", description="Give fusion the variant of Kokkos Kernels")
    variant("tool", default=False, description="Install the ledger for any Kokkos program, and onetrip-ledger")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.6:5")
    depends_on("kokkos+openmp", when="+openmp")
    depends_on("kokkos-kernels", when="+kernels")
    depends_on("mpi", when="+mpi")
    with when("+apps"):
        depends_on("cli11@2.1.2:")
        depends_on("nlohmann-json@3.11.2:")
        depends_on("xtensor@0.24.3:")
    with when("+tool"):
        depends_on("nlohmann-json@3.11.2:")
        depends_on("python@3.9:", type="run")
    depends_on("googletest@1.12: +gmock", type="test")
    depends_on("python@3", type="test")

    # Kokkos is built for one architecture, of those it knows.
    for arch in CudaPackage.cuda_arch_values:
        if arch in Kokkos.spack_cuda_arch_map:
            depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        else:
            conflicts("+cuda", when=f"cuda_arch={arch}", msg=f"Kokkos knows no CUDA architecture {arch}")
    for target in ROCmPackage.amdgpu_targets:
        if target in Kokkos.amdgpu_arch_map:
            depends_on(f"kokkos +rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
        else:
            conflicts("+rocm", when=f"amdgpu_target={target}", msg=f"Kokkos knows no AMD GPU {target}")
    conflicts("+cuda", when="cuda_arch=none", msg="+cuda needs the architecture: cuda_arch=90, say")
    conflicts("+rocm", when="amdgpu_target=none", msg="+rocm needs the architecture: amdgpu_target=gfx90a, say")
    conflicts("+cuda", when="+rocm", msg="Kokkos is built for CUDA or for ROCm, not for both")
    conflicts("^cuda@13:", when="+cuda ^kokkos@:4.7.00", msg="Kokkos works with CUDA 13 from 4.7.01 on")
    requires("^kokkos+cuda_lambda", when="+cuda ^kokkos@:4", msg="Kokkos 4 needs +cuda_lambda for lambdas in kernels")

    sanity_check_is_file = [join_path("include", "onetrip", "version.hpp")]
    sanity_check_is_dir = [join_path("include", "onetrip", "detail")]

    test_requires_compiler = True
    consumer = join_path("tests", "spack", "consumer")

    def device_cxx(self, host_cxx):
        """The compiler for code with Kokkos; kokkos_cxx alone would do, but without the wrapper it fails in tests."""
        if self.spec.satisfies("+rocm"):
            return self.spec["hip"].hipcc
        return self["kokkos"].kokkos_cxx if self.spec.satisfies("^kokkos+wrapper") else host_cxx

    def cmake_args(self):
        arguments = [
            self.define("CMAKE_CXX_COMPILER", self.device_cxx(spack_cxx)),
            self.define_from_variant("ONETRIP_BUILD_APPS", "apps"),
            self.define_from_variant("ONETRIP_ENABLE_MPI", "mpi"),
            self.define_from_variant("ONETRIP_BUILD_TOOL", "tool"),
            self.define("ONETRIP_BUILD_TESTS", self.run_tests),
            self.define("ONETRIP_BUILD_BENCH", False),
            self.define("ONETRIP_ENABLE_KOKKOS_KERNELS", self.spec.satisfies("+kernels")),
        ]
        if self.run_tests:
            # An nvcc found outside Spack can't use Spack's compiler wrappers.
            arguments.append(self.define("ONETRIP_CUDA_CHECK", False))
        return arguments

    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, self.consumer)

    def test_consumer(self):
        """build a program against the installed package, and run it"""
        cmake = self.spec["cmake"].command
        cmake(
            "-S",
            join_path(self.test_suite.current_test_cache_dir, self.consumer),
            "-B",
            "build",
            self.define("CMAKE_CXX_COMPILER", self.device_cxx(self.compiler.cxx)),
            self.define("CMAKE_PREFIX_PATH", [self.prefix, *get_cmake_prefix_path(self)]),
        )
        cmake("--build", "build")
        Executable(join_path("build", "consumer"))()

    def test_fusion(self):
        """run fusion on small arrays"""
        self.run_program("fusion", "--size", "2^12", "--repeat", "1")

    def test_heat1d(self):
        """run heat1d on a few cells"""
        self.run_program("heat1d", "--cells", "2^8", "--steps", "10", "--repeat", "1")

    def test_ledger(self):
        """load the ledger's library"""
        if self.spec.satisfies("~tool"):
            raise SkipTest("the ledger is installed with +tool")
        Executable(join_path(self.prefix.bin, "onetrip-ledger"))("info")

    def run_program(self, name, *arguments):
        if self.spec.satisfies("~apps"):
            raise SkipTest("the programs are installed with +apps")
        Executable(join_path(self.prefix.bin, name))(*arguments)
