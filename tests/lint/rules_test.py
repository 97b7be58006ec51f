# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rules_test.py FOLDER: every house rule of FOLDER/rules.py finds what breaks it, at its line, and nothing else."""

import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))
import rules  # noqa: E402

SPDX = "SPDX-FileCopyrightText: The onetrip authors\n{0} SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
CPP = "// " + SPDX.format("//")
HPP = CPP + "#pragma once\n"
CMAKE = "# " + SPDX.format("#")
ERROR = "class [[gnu::visibility(\"default\")]] {0} : public {1} {{}};\n"

# What breaks each rule, as (path, text, the line to find), and what doesn't, as (path, text).
BROKEN = {
    "licence": [
        ("apps/a.cpp", "int a;\n", 1),
        ("tools/a", "#!/bin/sh\n" + CPP.splitlines()[0] + "\n", 1),
        ("a.cmake", CMAKE.replace("Apache-2.0", "MIT"), 1),
        ("spack/a.yaml", "a: 1\n", 1),
    ],
    "whitespace": [("a.md", "one\ntwo \n", 2), ("a.md", "one\r\n", 1), ("a.md", "one\ntwo", 2)],
    "leftover": [("a.md", "one\n" + "TO" + "DO: two\n", 2), ("apps/a.cpp", CPP + "// FIX" + "ME\n", 3)],
    "machine_path": [
        ("a.md", "see /ho" + "me/me/notes\n", 1),
        ("tools/a", "#!/bin/sh\n" + CMAKE + "cd /wo" + "rk/x\n", 4),
    ],
    "host_name": [("a.md", "from https" + "://mirror.example.com/debian\n", 1)],
    "pragma_once": [("src/onetrip/detail/a.hpp", CPP, 1)],
    "length": [("src/onetrip/detail/a.hpp", HPP + "\n" * 297, 300), ("tests/a_test.py", CMAKE + "\n" * 398, 400)],
    "endl": [("apps/a.cpp", CPP + "std::cout << std::endl;\n", 3)],
    "using_namespace": [("apps/a.hpp", HPP + "using namespace std;\n", 4)],
    "macro": [
        ("src/onetrip/detail/a.hpp", HPP + "#define A 1\n", 4),
        ("src/onetrip/a.hpp.in", HPP + "  # define A 1\n", 4),
    ],
    "assertion": [("src/onetrip/detail/a.hpp", HPP + "void f() { assert(true); }\n", 4)],
    "foreign_error": [
        ("src/onetrip/detail/a.hpp", HPP + "throw std::runtime_error(1);\n", 4),
        ("src/onetrip/detail/a.hpp", HPP + ERROR.format("other", "std::exception") + "throw other();\n", 5),
    ],
    "umbrella": [
        ("apps/a/a.hpp", HPP + "#include <onetrip/ledger/recorder.hpp>\n", 4),
        ("apps/a/a.hpp", HPP + "#include <onetrip/detail/launch.hpp>\n", 4),
        ("docs/samples/a.cpp", CPP + '#include "onetrip/error.hpp"\n', 3),
    ],
    "against_the_flow": [
        ("src/onetrip/ledger/a.hpp", HPP + "#include <onetrip/fuse/fuse.hpp>\n", 4),
        ("src/onetrip/fuse/a.hpp", HPP + "#include <onetrip/region/region.hpp>\n", 4),
        ("src/onetrip/region/a.hpp", HPP + "#include <onetrip/march/march.hpp>\n", 4),
        ("src/onetrip/march.hpp", HPP + "#include <onetrip/fuse.hpp>\n", 4),
        ("src/onetrip/march.hpp", HPP + "#include <onetrip/onetrip.hpp>\n", 4),
    ],
    "file_set": [
        ("src/onetrip/unlisted.hpp", HPP, 1),
        ("CMakeLists.txt", CMAKE + "  src/onetrip/gone.hpp)\n", 3),
    ],
    "kernel_place": [
        ("src/onetrip/fuse/a.hpp", HPP + 'Kokkos::parallel_for("onetrip::a::b", n, f);\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'using Kokkos::parallel_scan;\nparallel_scan ("onetrip::a::b", n, f);\n', 5),
    ],
    "copy_place": [
        ("src/onetrip/detail/a.hpp", HPP + "Kokkos::deep_copy(a, b);\n", 4),
        ("src/onetrip/detail/a.hpp", HPP + "cudaMemcpyAsync(a, b, c);\n", 4),
        ("src/onetrip/detail/launch.hpp", HPP + "auto m = Kokkos::create_mirror_view_and_copy(space, a);\n", 4),
    ],
    "label": [
        ("apps/heat1d/a.cpp", CPP + "\nKokkos::parallel_for(n, f);\n", 4),
        ("apps/heat1d/a.cpp", CPP + "Kokkos::parallel_reduce(Kokkos::RangePolicy<>(0, n), f, sum);\n", 3),
        ("apps/heat1d/a.cpp", CPP + 'Kokkos::parallel_for(\n    "heat1d::step", n, f);\n', 3),
        ("apps/heat1d/a.cpp", CPP + 'Kokkos::parallel_for("fusion::fused::step", n, f);\n', 3),
        ("apps/common/a.cpp", CPP + 'Kokkos::fence("common::measure::begin");\n', 3),
        ("apps/heat1d/a.cpp", CPP + "Kokkos::fence();\n", 3),
        ("src/onetrip/fuse/a.hpp", HPP + "exec.fence();\n", 4),
        ("src/onetrip/detail/launch.hpp", HPP + "Kokkos::parallel_for(policy, f);\n", 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'Kokkos::View<int*> const v("v", 3);\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'auto v = Kokkos::View<int*, Kokkos::HostSpace>("v", 3);\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'f(Kokkos::view_alloc(exec, "scratch" + n));\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'Kokkos::Profiling::ScopedRegion const r("solve");\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'Kokkos::Profiling::pushRegion("onetrip::solve");\n', 4),
        ("src/onetrip/fuse/a.hpp", HPP + 'p = Kokkos::kokkos_malloc<Kokkos::HostSpace>("p", 8);\n', 4),
    ],
}
CLEAN = [
    ("CMakeLists.txt", CMAKE + "  src/onetrip/error.hpp\n  src/onetrip/fuse/fuse.hpp\n  src/onetrip/detail/launch.hpp\n"
     "  src/onetrip/detail/transfer.hpp)\nconfigure_file(src/onetrip/version.hpp.in version.hpp)\n"),
    ("tools/a", "#!/bin/sh\n" + CMAKE + "mktemp XXXX" + "XX\nHOME=/root\n"),
    ("a.md", "[Kokkos](https" + "://kokkos.org), ${HOME}/work/a, build/home/x\n"),
    ("src/onetrip/version.hpp.in", HPP + "#define ONETRIP_VERSION 1\n"),
    ("src/onetrip/error.hpp", HPP + "#include <stdexcept>\n" + ERROR.format("error", "std::runtime_error")
     + ERROR.format("shape_error", "error") + ERROR.format("rank_error", "shape_error") + "throw rank_error(1);\nthrow;\n"),
    ("src/onetrip/fuse/fuse.hpp", HPP + "#include <onetrip/detail/launch.hpp>\n#include <onetrip/fuse/math.hpp>\n"
     "// Kokkos::parallel_for(n, f); deep_copy(a, b); std::endl; assert(true); throw 1;\n"
     'static_assert(x, "Kokkos::fence() \\" using namespace");\nthrow onetrip::error(1\'000);\n'
     'exec.fence("onetrip::fuse::end");\nclass fence_counter { void fence(char const* name); };\n'
     "Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), f);\n"
     'Kokkos::View<int*> const v("onetrip::fuse::v", n), w(label, n);\nKokkos::View<int*> const none(nullptr, 0);\n'
     'Kokkos::View<int*> x(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "onetrip::fuse::" + f("a")), n);\n'),
    ("src/onetrip/detail/launch.hpp", HPP + "Kokkos::parallel_for(label, policy, f);\n"),
    ("src/onetrip/detail/transfer.hpp", HPP + "Kokkos::deep_copy(exec, to, from);\n"),
    ("apps/heat1d/a.cpp", CPP + '#include <onetrip/onetrip.hpp>\nusing namespace std;\nKokkos::fence("heat1d::run::end");\n'
     "throw bad_input(1);\nKokkos::deep_copy(a, b);\n" + 'Kokkos::parallel_for(\n    "heat1d::mirror::step", n, f);\n'),
    ("tests/a_test.cpp", CPP + '#include <onetrip/detail/classify.hpp>\nKokkos::fence();\n#define A 1\n' + "\n" * 390),
]


class house_rules(unittest.TestCase):
    def test_each_has_a_broken_text(self):
        self.assertEqual(set(BROKEN), {r.__name__ for r in rules.RULES})

    def test_each_finds_what_breaks_it_and_no_other_does(self):
        for name, texts in BROKEN.items():
            for path, text, line in texts:
                with self.subTest(rule=name, text=text):
                    lists = CMAKE + f"  {path})\n" if name != "file_set" else CMAKE
                    found = rules.check({"CMakeLists.txt": lists, path: text})
                    self.assertIn((path, line, name), [f[:3] for f in found])
                    self.assertLessEqual({f[2] for f in found}, {name, "kernel_place"} if name == "label" else {name})

    def test_what_is_right_is_left_alone(self):
        self.assertEqual(rules.check(dict(CLEAN)), [])

    def test_comments_and_literals_are_told_apart(self):
        text = 'a("// no"); // "b"\nc(R"(x)y)" /* d\n*/ 1\'000\'000, \'"\', e);\n'
        self.assertEqual(rules.code(text).split(), ['a("//', 'no");', 'c(R"(x)y)"', "1'000'000,", "'\"',", "e);"])
        self.assertEqual(rules.bare_code(text).count("\n"), text.count("\n"))
        self.assertNotIn("no", rules.bare_code(text))
        self.assertEqual(len(rules.bare_code(text)), len(text))

    def test_arguments_end_at_their_bracket(self):
        self.assertEqual(rules.arguments('f(a(1, 2), "b, (", c{3, 4}), d', 1), ["a(1, 2)", '"b, ("', "c{3, 4}"])


if __name__ == "__main__":
    unittest.main()
