# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import resource
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "common"))

from program import BARE_ENVIRONMENT, ENVIRONMENT, PROGRAM, ProgramTest, main

CONTEXT = ["schema", "program", "version", "git", "date", "host", "kokkos", "device", "threads", "settings"]
VARIANT = ["case", "name", "type", "size", "kernels", "bytes_read", "bytes_written", "seconds", "gb_per_s", "copy_share"]
VARIANT += ["speedup", "max_error"]
CASES = ["scaled_sum", "chain", "norm", "adamw"]
SMALL = ["--size", "1001", "--ops", "5", "--repeat", "3"]


class Fusion(ProgramTest):
    def results(self, *arguments):
        self.assert_runs(*arguments, "--json", "out.json")
        self.assertEqual(self.files(), ["out.json"])
        return json.loads((self.folder / "out.json").read_text())

    def has_kernels(self):
        return self.run_program(*SMALL, "--variant", "kernels").returncode == 0


class Output(Fusion):
    def test_text(self):
        text = self.assert_runs(*SMALL)
        for line in [
            "\nsize 1001, type double, ops 5, repeat 3\n",
            "\nscaled_sum: out = (a + b) * c / s\n",
            "\nchain: 5 times x = fma(m, x, c)\n",
            "\nnorm: the sum of ((a + b) / 2)^2, in double\n",
            "\nadamw: step 10 of AdamW, in place, in float\n",
            "\nkernels: as onetrip::recorder counted them, in an untimed run before the timed ones\n",
        ]:
            self.assertIn(line, text)
        self.assertRegex(text, r"^fusion \d+\.\d+\.\d+ \(\S+\), Kokkos \d+\.\d+\.\d+ \w+\n.*, threads: \d+\n")
        self.assertRegex(text, r"\nunfused +3 .* 1\.00x +0\n")
        self.assertRegex(text, r"\nfused +1 .*x +0\n")
        self.assertRegex(text, r"\nexpression +1 .*x +0\n")
        self.assertRegex(text, r"\nunfused +5 .* 1\.00x +0\n")
        self.assertRegex(text, r"\nunfused +4 .* 1\.00x .*\n")
        self.assertRegex(text, r"\nunfused +16 .* 1\.00x .*e-08\n|\nunfused +16 .* 1\.00x .*e-07\n")
        self.assertRegex(text, r"\ncopy: .*written\ncopy: .*written, in float\n")
        self.assertEqual(self.files(), [])

    def test_a_share_needs_no_unfused(self):
        text = self.assert_runs(*SMALL, "--variant", "fused")
        self.assertNotIn("unfused", text)
        self.assertRegex(text, r"\nfused +1 .* - +0\n")

    def test_a_case_that_lacks_the_type(self):
        line = "adamw: left out, it is in float only\n"
        text = self.assert_runs(*SMALL, "--type", "double")
        self.assertTrue(text.endswith("\n" + line), text)
        self.assertNotIn("adamw: step", text)
        for flags in [[], ["--type", "float"], ["--case", "adamw"], ["--case", "adamw,norm", "--type", "float"]]:
            text = self.assert_runs(*SMALL, *flags)
            self.assertNotIn(line, text)
            self.assertIn("\nadamw: step", text)

    def test_a_chain_that_is_not_written_out(self):
        line = "\nfused: any other number of operations than 4, 8, 16 and 32 is a loop in the kernel, which CPU compilers "
        line += "don't vectorize\n"
        for ops in [3, 4, 5, 8, 16, 31, 32]:
            text = self.assert_runs("--size", "1001", "--ops", ops, "--repeat", "1")
            self.assertEqual(line in text, ops not in [4, 8, 16, 32])
        self.assertNotIn(line, self.assert_runs(*SMALL, "--variant", "unfused"))


class Json(Fusion):
    def test_context(self):
        found = self.results(*SMALL)
        self.assertEqual(list(found), CONTEXT + ["copy_gb_per_s", "variants"])
        self.assertEqual((found["schema"], found["program"]), (1, "fusion"))
        self.assertRegex(found["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(found["kokkos"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertGreaterEqual(found["threads"], 1)
        self.assertGreater(found["copy_gb_per_s"], 0)
        names = ["unfused", "kernels", "fused", "expression"]
        if not self.has_kernels():
            names.remove("kernels")
        settings = {"size": 1001, "type": "double", "ops": 5, "cases": CASES, "variants": names, "repeat": 3}
        self.assertEqual(found["settings"], settings)

    def test_counts_are_exact(self):
        for name, size_of in [("float", 4), ("double", 8)]:
            found = self.results(*SMALL, "--type", name)["variants"]
            array = 1001 * size_of
            counts = {(v["case"], v["name"]): (v["kernels"], v["bytes_read"], v["bytes_written"]) for v in found}
            expected = {
                ("scaled_sum", "unfused"): (3, 5 * array, 3 * array),
                ("scaled_sum", "kernels"): (3, 5 * array, 3 * array),
                ("scaled_sum", "fused"): (1, 3 * array, array),
                ("scaled_sum", "expression"): (1, 3 * array, array),
                ("chain", "unfused"): (5, 5 * array, 5 * array),
                ("chain", "fused"): (1, array, array),
                ("chain", "expression"): (1, array, array),
                ("norm", "unfused"): (4, 5 * array, 3 * array),
                ("norm", "kernels"): (2, 3 * array, array),
                ("norm", "fused"): (1, 2 * array, 0),
                ("norm", "expression"): (1, 2 * array, 0),
            }
            if name == "float":
                expected["adamw", "unfused"] = (16, 21 * array, 16 * array)
                expected["adamw", "kernels"] = (3, 7 * array, 3 * array)
                expected["adamw", "fused"] = expected["adamw", "expression"] = (1, 4 * array, 3 * array)
            if not self.has_kernels():
                expected = {variant: numbers for variant, numbers in expected.items() if variant[1] != "kernels"}
            self.assertEqual(counts, expected)
            for v in found:
                self.assertEqual(list(v), VARIANT)
                self.assertEqual((v["type"], v["size"]), (name, 1001))

    def test_derived_numbers(self):
        found = self.results(*SMALL)
        unfused = {v["case"]: v for v in found["variants"] if v["name"] == "unfused"}
        self.assertEqual(list(unfused), CASES)
        for v in found["variants"]:
            seconds = v["seconds"]
            self.assertEqual(list(seconds), ["min", "median", "max"])
            self.assertTrue(0 < seconds["min"] <= seconds["median"] <= seconds["max"])
            self.assertAlmostEqual(v["gb_per_s"] * seconds["median"] * 1e9, v["bytes_read"] + v["bytes_written"], places=3)
            self.assertAlmostEqual(v["speedup"] * seconds["median"], unfused[v["case"]]["seconds"]["median"])
            self.assertEqual(v["type"], "float" if v["case"] == "adamw" else "double")
            if v["type"] == "double":
                self.assertAlmostEqual(v["copy_share"] * found["copy_gb_per_s"], v["gb_per_s"])
            allowed = {"norm": 502 * 2.0**-52, "adamw": 2 * 2.0**-23}.get(v["case"], 2 * 2.0**-52 * (v["name"] == "kernels"))
            self.assertLessEqual(v["max_error"], allowed)

    def test_only_the_chosen_cases(self):
        found = self.results(*SMALL, "--variant", "fused", "--case", "norm,chain,norm")
        self.assertEqual(found["settings"]["cases"], ["chain", "norm"])
        self.assertEqual([v["case"] for v in found["variants"]], ["chain", "norm"])
        found = self.results(*SMALL, "--variant", "fused", "--case", "adamw")
        self.assertEqual(found["settings"]["type"], "float")
        self.assertAlmostEqual(found["variants"][0]["copy_share"] * found["copy_gb_per_s"], found["variants"][0]["gb_per_s"])

    def test_only_the_chosen_variants(self):
        found = self.results(*SMALL, "--variant", "fused,fused")
        self.assertEqual(found["settings"]["variants"], ["fused"])
        self.assertEqual([v["name"] for v in found["variants"]], 4 * ["fused"])
        self.assertEqual([v["speedup"] for v in found["variants"]], 4 * [None])

    def test_is_there_when_nobody_reads_the_text(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run(
                [PROGRAM, *SMALL, "--json", "out.json"], stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, cwd=self.folder
            )
        self.assertEqual(run.returncode, 2)
        self.assertEqual(json.loads((self.folder / "out.json").read_text())["program"], "fusion")

    def test_to_stdout_that_is_a_file(self):
        with open(self.folder / "log", "w") as log:
            subprocess.run([PROGRAM, *SMALL, "--json", "/dev/stdout"], stdout=log, env=ENVIRONMENT, check=True)
        text = (self.folder / "log").read_text()
        self.assertEqual(json.loads(text[text.index("{") : text.rindex("}") + 1])["program"], "fusion")
        self.assertTrue(text.startswith("fusion ") and "\nkernels: as " in text, text)

    def test_an_existing_file_is_replaced(self):
        (self.folder / "out.json").write_text("old")
        self.assertEqual(self.results(*SMALL)["program"], "fusion")


class BadInput(Fusion):
    def test_values(self):
        for flag, high in [("--size", "2^40"), ("--ops", "2^20"), ("--repeat", "2^20")]:
            for value in ["0", "-1", "2^41", "2^64", "99999999999999999999", "1e6", "many"]:
                wrong = f"{flag}: '{value}' is not a whole number from 1 to {high}, in digits or as 2^K"
                self.assert_refuses([flag, value], wrong)

    def test_names(self):
        self.assert_refuses(["--type", "int"], "--type: 'int' is none of float, double")
        for names in ["foo", "fused,foo", "foo,fused"]:
            built = "unfused, kernels, fused, expression" if self.has_kernels() else "unfused, fused, expression"
            self.assert_refuses(["--variant", names], f"--variant: 'foo' is none of {built}")
        if not self.has_kernels():
            why = "--variant: 'kernels' is not in this build: it was configured without Kokkos Kernels"
            self.assert_refuses(["--variant", "kernels,fused"], why)

    def test_cases(self):
        self.assert_refuses(["--case", "norm,foo"], "--case: 'foo' is none of scaled_sum, chain, norm, adamw")
        wrong = "--type: the case 'adamw' is in float only"
        for cases in ["adamw", "norm,adamw"]:
            self.assert_refuses(["--type", "double", "--case", cases], wrong)
        if self.has_kernels():
            wrong = "--variant: the chosen cases have none of the chosen variants"
            self.assert_refuses(["--case", "chain", "--variant", "kernels"], wrong)

    def test_flags(self):
        self.assert_refuses(["--foo"], "The following argument was not expected: --foo")
        self.assert_refuses(["foo"], "The following argument was not expected: foo")
        self.assert_refuses(["--kokkos-foo"], "Kokkos does not take '--kokkos-foo' (--kokkos-help lists its flags)")
        self.assert_runs(*SMALL, "--kokkos-num-threads=1", "--variant", "fused")

    def test_output_folder(self):
        missing = self.folder / "missing"
        self.assert_refuses(
            [*SMALL, "--json", missing / "out.json"], f"cannot write '{missing}/out.json': there is no folder '{missing}'"
        )
        self.assert_refuses([*SMALL, "--json", self.folder], f"cannot write '{self.folder}': it is a folder")
        for empty in [["--json", ""], ["--json="]]:
            self.assert_refuses([*empty, *SMALL], "--json: the file's name is empty")
        self.assertEqual(self.files(), [])

    def test_full_disk(self):
        self.assert_fails([*SMALL, "--json", "/dev/full"], "cannot write '/dev/full': No space left on device")
        (self.folder / "out.json").write_text("old")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # SIGXFSZ stays ignored, as Python has it
        self.assert_fails(
            [*SMALL, "--json", "out.json"], "cannot write 'out.json': File too large", preexec_fn=limit, restore_signals=False
        )
        self.assertEqual(self.files(), ["out.json"])
        self.assertEqual((self.folder / "out.json").read_text(), "old")

    def test_memory(self):
        (self.folder / "out.json").write_text("old")
        run = self.run_program("--size", "2^40", "--json", "out.json", env=BARE_ENVIRONMENT)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        needs = r"fusion: needs 49152\.0 GiB of {} memory, \d+\.\d GiB available\n$"
        # Of the device's memory Kokkos has to be asked, and says what it says first.
        self.assertRegex(run.stderr, f"^{needs.format('host')}|{needs.format('device')}")
        run = self.run_program("--size", "2^40", "--type", "float", "--variant", "fused")
        self.assertRegex(run.stderr, r"^fusion: needs 16384\.0 GiB of (host|device) memory, \d+\.\d GiB available\n$")
        self.assertEqual((self.folder / "out.json").read_text(), "old")


class Information(Fusion):
    def test_version_and_help(self):
        self.assertRegex(self.assert_runs("--version"), r"^fusion \d+\.\d+\.\d+\n$")
        text = self.assert_runs("--help")
        for flag in ["--size", "--case", "--type", "--ops", "--variant", "--repeat", "--json", "--version", "--help", "--kokkos-help"]:
            self.assertIn(flag, text)
        self.assertIn("\nN is a whole number, in digits or as 2^K.\n", text)
        self.assertNotIn("...", text)
        self.assertEqual("kernels" in text.split("--variant")[1].split("--repeat")[0], self.has_kernels())


if __name__ == "__main__":
    main()
