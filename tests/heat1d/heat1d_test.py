# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math
import os
import resource
import struct
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "common"))

from program import BARE_ENVIRONMENT, ProgramTest, main

CONTEXT = ["schema", "program", "version", "git", "date", "host", "kokkos", "device", "threads", "settings", "variants"]
VARIANT = ["name", "cells", "steps", "transfers", "seconds", "us_per_step", "gcell_per_s", "speedup"]
VARIANT += ["difference_from_serial", "error_from_exact"]
SMALL = ["--cells", "64", "--steps", "5", "--repeat", "1"]
NAN, INF = float("nan"), float("inf")


def npy(values, descr="<f8", fortran="False", shape=None, code="d", order="<", version=1, length=None):
    """The bytes of a .npy file, as NumPy writes it, or wrong on purpose."""
    shape = f"({len(values)},)" if shape is None else shape
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    start = b"\x93NUMPY" + bytes([version, 0])
    count_bytes = 2 * version
    header += " " * (-(len(start) + count_bytes + len(header) + 1) % 64) + "\n"
    length = len(header) if length is None else length
    data = struct.pack(f"{order}{len(values)}{code}", *values)
    return start + length.to_bytes(count_bytes, "little") + header.encode() + data


def read_npy(path, code="d"):
    """The values of a .npy file of one dimension."""
    file = path.read_bytes()
    assert file[:8] == b"\x93NUMPY\x01\x00"
    start = 10 + int.from_bytes(file[8:10], "little")
    values = list(struct.iter_unpack(f"<{code}", file[start:]))
    size = struct.calcsize(code)
    header = f"{{'descr': '<f{size}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    assert file[10:start].decode().rstrip() == header, file[10:start]
    return [value for (value,) in values]


def step(u, boundary, r=0.25):
    """A step in plain arithmetic: exact as long as the numbers are short dyadic fractions."""
    left, right = (u[-1], u[0]) if boundary == "periodic" else (u[0], u[-1])
    wide = [left, *u, right]
    v = [u[i] + r * (wide[i] - 2 * u[i] + wide[i + 2]) for i in range(len(u))]
    if boundary == "fixed":
        v[0], v[-1] = u[0], u[-1]
    return v


class Heat1d(ProgramTest):
    def results(self, *arguments):
        self.assert_runs(*arguments, "--json", "out.json")
        return json.loads((self.folder / "out.json").read_text())

    def write(self, name, content):
        (self.folder / name).write_bytes(content)


class Output(Heat1d):
    def test_text(self):
        text = self.assert_runs(*SMALL)
        self.assertRegex(text, r"^heat1d \d+\.\d+\.\d+ \(\S+\), Kokkos \d+\.\d+\.\d+ \w+\n.*, threads: \d+\n")
        self.assertIn("\ncells 64, steps 5, r 0.25 (alpha 1, dx 1, dt 0.25), boundary fixed, initial sine, type double, repeat 1\n", text)
        self.assertRegex(text, r"\nmirror +10 +0\.005120 +10 +0\.005120 .* 1\.00x +0 +\S+\n")
        for name in ["resident", "region", "march"]:
            self.assertRegex(text, rf"\n{name} +1 +0\.0005120 +1 +0\.0005120 .*x +0 +\S+\n")
        watched = "to device, to host: transfers as onetrip::recorder saw them, in an untimed run before the timed ones"
        self.assertIn(f"\n{watched}\n", text)
        shared = "host and device share one memory here: arrays of their own stand in for the device's"
        on_host = any(f" {name}\n" in text for name in ["OpenMP", "Serial", "Threads"])
        self.assertEqual(f"\n{shared}\n" in text, on_host)
        self.assertEqual(self.files(), [])

    def test_r_stands_alone(self):
        self.assertIn("\ncells 64, steps 5, r 0.5, boundary fixed,", self.assert_runs(*SMALL, "--r", "0.5"))

    def test_what_does_not_apply_is_a_dash(self):
        text = self.assert_runs("--cells", "3", "--steps", "0", "--initial", "hat", "--variant", "resident")
        self.assertRegex(text, r"\nresident .* - +- +- +0 +-\n")
        self.assertNotIn("\nmirror", text)


class Json(Heat1d):
    def test_two_thousand_steps_are_eight_thousand_transfers_or_two(self):
        found = self.results("--cells", "64", "--repeat", "1")
        self.assertEqual(list(found), CONTEXT)
        self.assertEqual((found["schema"], found["program"]), (1, "heat1d"))
        settings = {"cells": 64, "steps": 2000, "r": 0.25, "alpha": 1, "dx": 1, "dt": 0.25}
        settings |= {"boundary": "fixed", "initial": "sine", "type": "double"}
        settings |= {"variants": ["mirror", "resident", "region-per-step", "region", "march"], "repeat": 1}
        self.assertEqual(found["settings"], settings)
        self.assertEqual(list(found["settings"]), list(settings))
        counts = [("mirror", 4000), ("resident", 1), ("region-per-step", 4000), ("region", 1), ("march", 1)]
        for variant, (name, count) in zip(found["variants"], counts, strict=True):
            self.assertEqual(list(variant), VARIANT)
            self.assertEqual((variant["name"], variant["cells"], variant["steps"]), (name, 64, 2000))
            tally = {"count": count, "bytes": count * 64 * 8}
            self.assertEqual(variant["transfers"], {"to_device": tally, "to_host": tally})
            self.assertEqual(variant["difference_from_serial"], 0)
            self.assertLess(variant["error_from_exact"], 1e-12)

    def test_derived_numbers(self):
        found = self.results("--cells", "2^12", "--steps", "101", "--type", "float", "--repeat", "4")
        self.assertEqual((found["settings"]["cells"], found["settings"]["type"]), (4096, "float"))
        mirror = found["variants"][0]
        for v in found["variants"]:
            seconds = v["seconds"]
            self.assertEqual(list(seconds), ["min", "median", "max"])
            self.assertTrue(0 < seconds["min"] <= seconds["median"] <= seconds["max"])
            self.assertAlmostEqual(v["us_per_step"] * 101e-6, seconds["median"])
            self.assertAlmostEqual(v["gcell_per_s"] * 1e9 * seconds["median"], 4096 * 101, places=3)
            self.assertAlmostEqual(v["speedup"] * seconds["median"], mirror["seconds"]["median"])
            self.assertLess(v["error_from_exact"], 1e-5)
        self.assertEqual(mirror["transfers"]["to_host"], {"count": 202, "bytes": 202 * 4096 * 4})

    def test_any_number_of_steps(self):
        for steps in [0, 1, 2, 3]:
            mirror, resident, per_step, region, march = self.results("--cells", "3", "--steps", steps, "--repeat", "1")["variants"]
            tally = {"count": 2 * steps, "bytes": 2 * steps * 24}
            for variant in [mirror, per_step]:
                self.assertEqual(variant["transfers"], {"to_device": tally, "to_host": tally})
            tally, none = {"count": 1, "bytes": 24}, {"count": 0, "bytes": 0}
            self.assertEqual(region["transfers"], {"to_device": tally, "to_host": tally if steps else none})  # unwritten: none
            for variant in [resident, march]:
                self.assertEqual(variant["transfers"], {"to_device": tally, "to_host": tally})
                for key in ["us_per_step", "gcell_per_s", "speedup"]:
                    self.assertEqual(variant[key] is None, steps == 0)

    def test_counts_of_a_long_run_add_up(self):
        found = self.results("--cells", "3", "--steps", "20001", "--repeat", "1", "--variant", "mirror")
        tally = {"count": 40002, "bytes": 40002 * 24}
        self.assertEqual(found["variants"][0]["transfers"], {"to_device": tally, "to_host": tally})

    def test_null_where_nothing_can_be_said(self):
        found = self.results(*SMALL, "--r", "0.125", "--initial", "random:1", "--variant", "resident")
        self.assertEqual({key: found["settings"][key] for key in ["r", "alpha", "dx", "dt", "initial"]},
                         {"r": 0.125, "alpha": None, "dx": None, "dt": None, "initial": "random:1"})
        (resident,) = found["variants"]
        self.assertEqual((resident["speedup"], resident["error_from_exact"]), (None, None))

    def test_order_and_number_of_names_do_not_matter(self):
        found = self.results(*SMALL, "--variant", "resident,mirror,resident")
        self.assertEqual([v["name"] for v in found["variants"]], ["mirror", "resident"])
        self.assertEqual(found["settings"]["variants"], ["mirror", "resident"])

    def test_the_mode_of_every_boundary_is_exact(self):
        for boundary in ["fixed", "insulated", "periodic"]:
            for variant in self.results(*SMALL, "--boundary", boundary, "--r", "0.3")["variants"]:
                self.assertLess(variant["error_from_exact"], 1e-14)


class Files(Heat1d):
    def last_state(self, *arguments, code="d"):
        self.assert_runs(*arguments, "--output", "last.npy")
        return read_npy(self.folder / "last.npy", code)

    def test_steps_of_a_file(self):
        start = [1.0, 0.0, 5.0, -2.0, 8.0, 8.0, 3.0]
        self.write("u.npy", npy(start))
        for boundary in ["fixed", "insulated", "periodic"]:
            expected = start
            for steps in range(4):
                found = self.last_state("--initial", "u.npy", "--steps", steps, "--boundary", boundary)
                self.assertEqual(found, expected)
                expected = step(expected, boundary)

    def test_float(self):
        self.write("u.npy", npy([0, 4, 0, 0, 1], descr="<f4", code="f"))
        found = self.last_state("--initial", "u.npy", "--steps", "1", "--type", "float", code="f")
        self.assertEqual(found, [0, 2, 1, 0.25, 1])

    def test_last_state_as_the_next_first(self):
        options = ["--r", "0.3", "--boundary", "periodic", "--repeat", "1"]
        in_one = self.last_state(*options, "--initial", "random:3", "--cells", "100", "--steps", "7")
        self.last_state(*options, "--initial", "random:3", "--cells", "100", "--steps", "3")
        in_two = self.last_state(*options, "--initial", "last.npy", "--steps", "4")
        self.assertEqual(in_two, in_one)
        self.assertEqual(self.files(), ["last.npy"])

    def test_first_states(self):
        self.assertEqual(self.last_state("--initial", "hat", "--cells", "7", "--steps", "0"), [0, 0, 1, 1, 1, 0, 0])
        for boundary, mode in [
            ("fixed", lambda i: math.sin(math.pi * i / 6)),
            ("insulated", lambda i: math.cos(math.pi * (i + 0.5) / 7)),
            ("periodic", lambda i: math.sin(2 * math.pi * i / 7)),
        ]:
            for i, found in enumerate(self.last_state("--boundary", boundary, "--cells", "7", "--steps", "0")):
                self.assertAlmostEqual(found, mode(i), places=15)
        seeds = [self.last_state("--initial", f"random:{seed}", "--cells", "7", "--steps", "0") for seed in [1, 2, 1]]
        self.assertEqual(seeds[0], seeds[2])
        self.assertNotEqual(seeds[0], seeds[1])

    def test_length_of_a_file_is_the_number_of_cells(self):
        self.write("u.npy", npy([1, 2, 3, 4]))
        self.assertEqual(self.results("--initial", "u.npy")["settings"]["cells"], 4)
        self.assert_runs("--initial", "u.npy", "--cells", "4")

    def test_one_dimension_has_no_order(self):
        self.write("u.npy", npy([1, 2, 4], fortran="True"))
        self.assertEqual(self.last_state("--initial", "u.npy", "--steps", "0"), [1, 2, 4])

    def test_second_version_of_the_format(self):
        self.write("u.npy", npy([1, 2, 4], version=2))
        self.assertEqual(self.last_state("--initial", "u.npy", "--steps", "0"), [1, 2, 4])

    def test_numpy_agrees(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no NumPy here")
        start = numpy.random.default_rng(1).standard_normal(50)
        numpy.save(self.folder / "u.npy", start)
        self.last_state("--initial", "u.npy", "--steps", "0")
        self.assertEqual(numpy.load(self.folder / "last.npy").tobytes(), start.tobytes())


class BadFiles(Heat1d):
    def assert_refused(self, content, message, *arguments):
        self.write("u.npy", content)
        self.assert_refuses(["--initial", "u.npy", "--output", "last.npy", "--json", "out.json", *arguments], message)
        self.assertEqual(self.files(), ["u.npy"])

    def test_no_npy(self):
        good = npy([1, 2, 3])
        for content in [
            b"",
            b"\x93NUMPY",
            b"no such thing at all\n" * 9,
            good[:40],
            good[:127],
            npy([1, 2, 3], length=65535),
            npy([1, 2, 3], version=2, length=2**32 - 1),
        ]:
            self.assert_refused(content, "'u.npy' is not a .npy file")

    def test_header(self):
        good = npy([1, 2, 3])
        reordered = b"{'fortran_order': False, 'descr': '<f8', 'shape': (3,), }"
        for content in [
            npy([1, 2, 3], length=0),
            good.replace(b"descr", b"descx"),
            good.replace(b"shape", b"shapx"),
            good.replace(b"{", b"["),
            good.replace(b"'", b'"'),
            good.replace(b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", reordered),
            npy([1, 2, 3], fortran="None"),
        ]:
            self.assertEqual(len(content), len(good))
            self.assert_refused(content, "'u.npy' has a header that heat1d cannot read")

    def test_version(self):
        self.assert_refused(npy([1], version=3), "'u.npy' has version 3.0 of the .npy format, not 1.0 or 2.0")

    def test_structured_type(self):
        content = npy([1, 2, 3]).replace(b"'<f8'", b"[('x', '<f8')]").replace(b" " * 9 + b"\n", b"\n")
        self.assert_refused(content, "'u.npy' holds a structured type, not numbers")

    def test_missing(self):
        self.assert_refuses(["--initial", "no.npy"], "cannot read 'no.npy': No such file or directory")
        (self.folder / "folder.npy").mkdir()
        self.assert_refuses(["--initial", "folder.npy"], "cannot read 'folder.npy': not a regular file")
        os.mkfifo(self.folder / "fifo.npy")
        self.assert_refuses(["--initial", "fifo.npy"], "cannot read 'fifo.npy': not a regular file")

    def test_type_and_byte_order(self):
        self.assert_refused(npy([1, 2, 3], descr=">f8", order=">"), "'u.npy' holds '>f8', not '<f8'")
        self.assert_refused(npy([1, 2, 3], descr="<f4", code="f"), "'u.npy' holds '<f4', not '<f8'")
        self.assert_refused(npy([1, 2, 3]), "'u.npy' holds '<f8', not '<f4'", "--type", "float")
        self.assert_refused(npy([1, 2, 3], descr="<i8", code="q"), "'u.npy' holds '<i8', not '<f8'")
        self.assert_refused(npy([1, 2], descr="<c16"), "'u.npy' holds '<c16', not '<f8'")

    def test_shape(self):
        for shape, shown in [("(2, 2)", "(2,2)"), ("()", "()"), ("(1, 4)", "(1,4)"), ("(-4,)", "(-4,)"),
                             ("(99999999999999999999,)", "(99999999999999999999,)")]:
            self.assert_refused(npy([1, 2, 3, 4], shape=shape), f"'u.npy' has the shape {shown}, not one dimension")
        self.assert_refused(npy([1, 2, 3, 4], shape="(2, 2)", fortran="True"),
                            "'u.npy' has the shape (2,2), not one dimension")

    def test_length(self):
        says = "'u.npy' says that it holds {} values of 8 bytes, but has {} bytes of them"
        self.assert_refused(npy([1, 2, 3, 4])[:-1], says.format(4, 31))
        self.assert_refused(npy([1, 2, 3, 4])[:-8], says.format(4, 24))
        self.assert_refused(npy([1, 2, 3, 4]) + b"\n", says.format(4, 33))
        self.assert_refused(npy([1, 2, 3], shape="(2305843009213693955,)"), says.format(2**61 + 3, 24))
        self.assert_refused(npy([1, 2, 3, 4]), "--cells 5, but 'u.npy' holds 4 values", "--cells", "5")
        self.assert_refused(npy([1, 2]), "'u.npy' holds 2 values, fewer than 3 cells")
        self.assert_refused(npy([]), "'u.npy' holds 0 values, fewer than 3 cells")

    def test_values(self):
        for value in [NAN, INF, -INF]:
            self.assert_refused(npy([1, 2, value, 4, NAN]), f"'u.npy' has {value} at index 2, not a finite number")
        self.assert_refused(npy([1, -1e308, 3]), "'u.npy' has -1e+308 at index 1, so large that a step overflows")
        self.write("u.npy", npy([4e307, -4e307, 4e307]))
        self.assert_runs("--initial", "u.npy", "--r", "0.5")


class BadInput(Heat1d):
    def test_unstable(self):
        self.assert_refuses(["--dt", "0.6"], "--dt 0.6 is unstable: the largest stable one is dx^2 / (2 alpha) = 0.5")
        self.assert_refuses(["--dx", "0.5", "--alpha", "2"],
                          "--dt 0.25 is unstable: the largest stable one is dx^2 / (2 alpha) = 0.0625")
        self.assert_refuses(["--dx", "1e-200"], "--dx 1e-200 and --alpha 1: dx^2 / alpha is too small a number")
        self.assert_runs(*SMALL, "--dt", "0.5")
        for r in ["0.6", "-0.1", "nan", "inf", "0.5000000000000001"]:
            self.assert_refuses([f"--r={r}"], f"--r must be from 0 to 0.5, the largest stable one, not {r}")
        self.assert_runs(*SMALL, "--r", "0.5")
        self.assert_runs(*SMALL, "--r", "0")

    def test_physics(self):
        for flag in ["--alpha", "--dx", "--dt"]:
            for value, shown in [("0", "0"), ("-1", "-1"), ("nan", "nan"), ("inf", "inf"), ("1e999", "inf")]:
                self.assert_refuses([f"{flag}={value}"], f"{flag} must be positive and finite, not {shown}")
            for text in ["x", "", "0.1 m"]:
                self.assert_refuses([flag, text], f"{flag}: '{text}' is not a number")
            self.assert_refuses(["--r", "0.1", flag, "0.1"], f"{flag} excludes --r")

    def test_numbers(self):
        for flag, low, high in [("--cells", 3, "2^40"), ("--steps", 0, "2^40"), ("--repeat", 1, "2^20")]:
            for value in ["-1", str(low - 1), "2^41", "2^64", "99999999999999999999", "1e6", "many", ""]:
                wrong = f"{flag}: '{value}' is not a whole number from {low} to {high}, in digits or as 2^K"
                self.assert_refuses([flag, value], wrong)

    def test_names(self):
        self.assert_refuses(["--boundary", "open"], "--boundary: 'open' is none of fixed, insulated, periodic")
        self.assert_refuses(["--type", "half"], "--type: 'half' is none of float, double")
        self.assert_refuses(["--variant", "mirror,fast"], "--variant: 'fast' is none of mirror, resident, region-per-step, region, march")
        for name in ["cosine", "random", "random:-1", "random:x", "u.txt"]:
            allowed = "sine, hat, random:SEED (SEED a whole number below 2^64), FILE.npy"
            self.assert_refuses(["--initial", name], f"--initial: '{name}' is none of {allowed}")

    def test_flags(self):
        self.assert_refuses(["--foo"], "The following argument was not expected: --foo")
        self.assert_refuses(["foo"], "The following argument was not expected: foo")
        self.assert_refuses(["--kokkos-foo"], "Kokkos does not take '--kokkos-foo' (--kokkos-help lists its flags)")
        self.assert_runs(*SMALL, "--kokkos-num-threads=1")

    def test_folders(self):
        missing = self.folder / "missing"
        for flag, name in [("--output", "last.npy"), ("--json", "out.json")]:
            self.assert_refuses([*SMALL, flag, missing / name],
                              f"cannot write '{missing}/{name}': there is no folder '{missing}'")
            self.assert_refuses([*SMALL, flag, self.folder], f"cannot write '{self.folder}': it is a folder")
            self.assert_refuses([*SMALL, flag, ""], f"{flag}: the file's name is empty")
        self.assertEqual(self.files(), [])

    def test_one_file_for_both(self):
        for name in ["out", "./out", self.folder / "out"]:
            self.assert_refuses([*SMALL, "--output", "out", "--json", name],
                                f"--output and --json name the same file, '{name}'")
        self.assertEqual(self.files(), [])

    def test_both_files_or_none(self):
        self.assert_fails([*SMALL, "--output", "last.npy", "--json", "/dev/full"],
                          "cannot write '/dev/full': No space left on device")
        self.assertEqual(self.files(), [])

    def test_full_disk(self):
        for flag in ["--output", "--json"]:
            self.assert_fails([*SMALL, flag, "/dev/full"], "cannot write '/dev/full': No space left on device")
        (self.folder / "last.npy").write_text("old")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # SIGXFSZ stays ignored, as Python has it
        self.assert_fails([*SMALL, "--output", "last.npy"], "cannot write 'last.npy': File too large",
                          preexec_fn=limit, restore_signals=False)
        self.assertEqual(self.files(), ["last.npy"])
        self.assertEqual((self.folder / "last.npy").read_text(), "old")

    def test_memory(self):
        (self.folder / "last.npy").write_text("old")
        for arguments in [["--cells", "2^40"], ["--cells", "2^40", "--steps", "0", "--variant", "resident"]]:
            run = self.run_program(*arguments, "--output", "last.npy", "--json", "out.json", timeout=60,
                                   env=BARE_ENVIRONMENT)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            needs = r"^heat1d: needs \d+\.\d GiB of host memory, \d+\.\d GiB available\n$"
            self.assertRegex(run.stderr, needs)
        self.assertEqual(self.files(), ["last.npy"])
        self.assertEqual((self.folder / "last.npy").read_text(), "old")


class Information(Heat1d):
    def test_version_and_help(self):
        self.assertRegex(self.assert_runs("--version"), r"^heat1d \d+\.\d+\.\d+\n$")
        text = self.assert_runs("--help")
        flags = "cells steps alpha dx dt r boundary initial type variant repeat output json version help kokkos-help"
        for flag in flags.split():
            self.assertIn(f"--{flag}", text)
        self.assertIn("\nN is a whole number, in digits or as 2^K.\n", text)
        for stray in ["...", "TEXT", "UINT"]:
            self.assertNotIn(stray, text)


if __name__ == "__main__":
    main()
