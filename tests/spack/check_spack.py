# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Spack reads agrees with the project, as far as that shows without Spack: check_spack.py CHECKOUT prints what is
wrong, a line each, and exits with 1 if anything is. What only Spack can tell is in docs/spack.md."""

import ast
import re
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("check_spack: no PyYAML")
    sys.exit(77)  # ctest: skipped

RECIPES = "spack/spack_repo/onetrip"
DIRECTIVES = set("""build_system can_splice conflicts depends_on extends license maintainers patch provides redistribute
    requires resource variant version""".split())
SECTIONS = set("""concretizer config definitions develop env_vars include mirrors modules packages repos specs toolchains
    view""".split())
INHERITED = {"amdgpu_target", "build_type", "cuda", "cuda_arch", "generator", "ipo", "rocm"}  # variants of the base classes


def number(version):
    return [int(part) for part in version.split(".")]


def calls(node, name):
    """The calls of name, or of self.name, below node."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and name in (getattr(call.func, "id", None), getattr(call.func, "attr", None)):
            yield call


def first(call):
    return call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


def class_name(package):
    return "".join(word.capitalize() for word in package.split("_"))


def statements(body):
    """Those of a class body, and of the loops, conditions and `with when` in it."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef):
            yield from statements([*getattr(node, "body", []), *getattr(node, "orelse", [])])


class Check:
    def __init__(self, top):
        self.top = Path(top)
        self.found = []
        self.variants = set(INHERITED)
        self.where = "?"

    def fault(self, text):
        self.found.append(f"{self.where}: {text}")

    def read(self, path):
        self.where = path
        return (self.top / path).read_text()

    def load(self, path):
        try:
            loaded = yaml.safe_load(self.read(path))
        except (OSError, yaml.YAMLError) as error:
            self.fault(f"does not load: {' '.join(str(error).split())}")
            return {}
        if not isinstance(loaded, dict):
            self.fault("is not a mapping")
            return {}
        return loaded

    def run(self):
        self.repository()
        for recipe in sorted((self.top / RECIPES / "packages").glob("*/package.py")):
            self.recipe(recipe)
        environments = [self.top / "spack.yaml", *sorted((self.top / "spack/envs").glob("*/spack.yaml"))]
        for environment in environments:
            self.environment(environment)
        return self.found

    def repository(self):
        for path in self.load("spack-repo-index.yaml").get("repo_index", {}).get("paths", [None]):
            if not path or not (self.top / path / "repo.yaml").is_file():
                self.fault(f"no repository in {path}")
        repo = self.load(f"{RECIPES}/repo.yaml").get("repo", {})
        if repo.get("namespace") != Path(RECIPES).name:
            self.fault(f"namespace {repo.get('namespace')} in the folder {Path(RECIPES).name}")
        if not re.fullmatch(r"v2\.\d+", str(repo.get("api"))):
            self.fault(f"api {repo.get('api')}, not v2")

    def recipe(self, path):
        source = self.read(path.relative_to(self.top))
        try:
            tree = ast.parse(source)
            compile(tree, path, "exec")
        except SyntaxError as error:
            self.fault(f"does not compile: {error}")
            return
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        if [c.name for c in classes] != [class_name(path.parent.name)]:
            self.fault(f"has {', '.join(c.name for c in classes)}, not the class {class_name(path.parent.name)}")
            return
        self.variants |= {first(call) for call in calls(tree, "variant")}
        self.directives(classes[0])
        self.definitions(tree)
        self.versions(tree)
        for method in classes[0].body:
            if isinstance(method, ast.FunctionDef) and method.name.startswith("test_") and not ast.get_docstring(method):
                self.fault(f"{method.name} has no docstring, which Spack shows")
            if isinstance(method, ast.Assign) and method.targets[0].id == "consumer":
                folder = "/".join(part.value for part in method.value.args)
                if not (self.top / folder / "CMakeLists.txt").is_file():
                    self.fault(f"no project in {folder}")

    def directives(self, recipe):
        for node in statements(recipe.body):
            call = node.value if isinstance(node, ast.Expr) else None
            if isinstance(call, ast.Call):
                name = getattr(call.func, "id", None)
                if name not in DIRECTIVES:
                    self.fault(f"line {node.lineno}: {name} is no directive")
                if name in ("conflicts", "requires") and "msg" not in {keyword.arg for keyword in call.keywords}:
                    self.fault(f"line {node.lineno}: {name} without msg")

    def definitions(self, tree):
        """Each name that the recipe defines is an option or a cache variable of the project, or CMake's own."""
        files = [self.top / "CMakeLists.txt", *(self.top / "cmake").glob("*.cmake"), *(self.top / "tests").rglob("CMakeLists.txt")]
        cmake = "".join(file.read_text() for file in files)
        options = set(re.findall(r"^(?:option|set)\((ONETRIP_\w+) ", cmake, re.MULTILINE))
        for call in [*calls(tree, "define"), *calls(tree, "define_from_variant")]:
            if first(call) not in options and not str(first(call)).startswith("CMAKE_"):
                self.fault(f"line {call.lineno}: {first(call)} is no option of CMakeLists.txt")
        for call in calls(tree, "define_from_variant"):
            if call.args[1].value not in self.variants:
                self.fault(f"line {call.lineno}: no variant {call.args[1].value}")

    def versions(self, tree):
        cmake = (self.top / "CMakeLists.txt").read_text()
        project = re.search(r"^project\(onetrip VERSION (\S+)", cmake, re.MULTILINE)[1]
        for call in calls(tree, "version"):
            given = {keyword.arg for keyword in call.keywords}
            if first(call) == "main":
                continue
            if not re.fullmatch(r"\d+\.\d+\.\d+", str(first(call))) or number(first(call)) > number(project):
                self.fault(f"line {call.lineno}: version {first(call)}, but project(VERSION {project})")
            if not given & {"sha256", "commit"}:
                self.fault(f"line {call.lineno}: version {first(call)} without sha256 or commit")
        needs = {spec.split("@")[0]: spec for call in calls(tree, "depends_on") if "@" in (spec := str(first(call)))}
        least = re.search(r"^cmake_minimum_required\(VERSION (\S+)\)", cmake, re.MULTILINE)[1]
        low, high = re.search(r"\b(\d+\.\d+)\.\.\.<(\d+)\b", (self.top / "cmake/onetrip_kokkos.cmake").read_text()).groups()
        for name, spec in {"cmake": f"cmake@{least}:", "kokkos": f"kokkos@{low}:{int(high) - 1}"}.items():
            if needs.get(name) != spec:
                self.fault(f"depends on {needs.get(name)}, CMake on {spec}")

    def environment(self, path):
        folder = path.parent
        loaded = self.load(path.relative_to(self.top))
        if set(loaded) != {"spack"}:
            self.fault(f"has {', '.join(map(str, loaded))} at the top, not spack")
            return
        sections = loaded["spack"]
        if unknown := sorted(set(sections) - SECTIONS):
            self.fault(f"Spack has no section {', '.join(unknown)}")
        for namespace, repo in sections.get("repos", {}).items():
            if Path(repo).name != namespace or not (folder / repo / "repo.yaml").is_file():
                self.fault(f"no repository {namespace} in {repo}")
        for name, package in sections.get("develop", {}).items():
            if (folder / package["path"]).resolve() != self.top.resolve():
                self.fault(f"{name} is not in {package['path']}")
        for spec in sections.get("specs", []):
            for variant in re.findall(r"[+~]([a-z_]+)", spec):
                if variant not in self.variants:
                    self.fault(f"no variant {variant}")
        if len(architectures := set(re.findall(r"cuda_arch=(\w+)", str(sections)))) > 1:
            self.fault(f"several cuda_arch: {', '.join(sorted(architectures))}")
        for name in sections.get("include", []):
            if unknown := sorted(set(self.load((folder / name).relative_to(self.top))) - SECTIONS):
                self.fault(f"Spack has no section {', '.join(unknown)}")


if __name__ == "__main__":
    wrong = Check(sys.argv[1]).run()
    print(*wrong, f"{len(wrong)} faults", sep="\n")
    sys.exit(1 if wrong else 0)
