#!/usr/bin/env python3
"""The public declarations of the modules, as the compiler sees them. Used by `api` and `check-docs`.

    Scripts/symbol_graphs.py FOLDER     writes the graph of each module to FOLDER/<Module>, for docc
    Scripts/symbol_graphs.py --order    prints the modules, each after those that it is built on
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_API = {"JunctorMacrosPlugin"}


def stop(message, status=1):
    """Ends the program with one line."""
    print(message, file=sys.stderr)
    sys.exit(status)


def tool(name):
    """A command that finds a tool of the toolchain."""
    return ["xcrun", name] if sys.platform == "darwin" else [name]


def binaries():
    """Where the debug build lies: `JUNCTOR_SCRATCH` or `.build`."""
    scratch = pathlib.Path(os.environ.get("JUNCTOR_SCRATCH", ROOT / ".build"))
    scratch = scratch if scratch.is_absolute() else ROOT / scratch
    folder = scratch / "debug"
    if not (folder / "Modules").is_dir():
        stop(f"Can't read '{folder}': there is no debug build. Run `swift build` first.")
    return folder


def described_targets():
    """The targets of the manifest by their names."""
    described = subprocess.run(
        ["swift", "package", "--package-path", str(ROOT), "--scratch-path", str(binaries().parent),
         "describe", "--type", "json"], capture_output=True, text=True, check=False)
    if described.returncode != 0:
        stop(f"Can't read the manifest: {described.stderr.strip().splitlines()[-1]}")
    return {target["name"]: target for target in json.loads(described.stdout)["targets"]}


def public_modules():
    """The library modules that a user can import, in the order of the alphabet: those of the products and what they
    are built on."""
    return sorted(public_targets(described_targets()))


def public_targets(targets):
    """The names of the library modules that a user can import."""
    wanted, found = [
        name for name, target in targets.items() if target.get("product_memberships")
        and target["type"] == "library"], set()
    while wanted:
        name = wanted.pop()
        target = targets.get(name)
        if target is None or name in found or name in NOT_API or target["type"] != "library":
            continue
        if target["module_type"] != "SwiftTarget" or not target["path"].startswith("Sources/"):
            continue
        found.add(name)
        wanted += target.get("target_dependencies", [])
    return found


def ordered_modules():
    """The same, each after those that it is built on; `Junctor`, which everything leads to, is the last."""
    targets = described_targets()
    names, order = public_targets(targets), []

    def visit(name):
        if name not in order and name in names:
            for other in sorted(targets[name].get("target_dependencies", [])):
                visit(other)
            order.append(name)

    for name in sorted(names):
        visit(name)
    return [name for name in order if name != "Junctor"] + ["Junctor"]


def clang_modules(folder):
    """The flags that let the compiler find the C targets' module maps."""
    maps = [
        path for path in folder.glob("*.build/module.modulemap")
        if not path.parent.name.endswith("-tool.build")]  # Those are for the compiler's plug-ins.
    maps += [
        path for path in (ROOT / "Sources").glob("*/include/module.modulemap")
        if not (folder / f"{path.parent.parent.name}.build/module.modulemap").exists()]
    # A C target's header may include that of another.
    headers = sorted((ROOT / "Sources").glob("*/include"))
    return [flag for path in sorted(maps) for flag in ("-Xcc", f"-fmodule-map-file={path}")] + [
        flag for path in headers for flag in ("-Xcc", f"-I{path}")]


def target_triple():
    """The triple that the debug build is for."""
    info = subprocess.run(
        ["swiftc", "-print-target-info"], capture_output=True, text=True, check=True)
    return json.loads(info.stdout)["target"]["triple"]


class Graph:
    """The symbols of one module with what is known of how they belong together."""

    def __init__(self, module, parts):
        self.module = module
        self.symbols = {}
        self.parents = {}
        self.requirements = set()
        self.conformances = {}
        for part in parts:
            for symbol in part["symbols"]:
                # What the compiler makes itself (==, hash(into:), …) has no place in a file.
                if "location" in symbol:
                    self.symbols[symbol["identifier"]["precise"]] = symbol
            for edge in part["relationships"]:
                kind, source, target = edge["kind"], edge["source"], edge["target"]
                if kind in ("memberOf", "requirementOf", "optionalRequirementOf"):
                    self.parents[source] = target
                    if kind != "memberOf":
                        self.requirements.add(source)
                elif kind in ("conformsTo", "inheritsFrom"):
                    name = edge.get("targetFallback", target).removeprefix("Swift.")
                    self.conformances.setdefault(source, set()).add((target, name))

    def conformances_of(self, identifier):
        """The names of what a type conforms to or inherits from, sorted; implied ones left out."""
        implied = {"SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"}
        names = set()
        for target, name in self.conformances.get(identifier, ()):
            if target in self.symbols:
                name = ".".join(self.symbols[target]["pathComponents"])
            names.add(name)
        return sorted(names - implied)


def extract(module, output, level="public"):
    """Writes the symbol graph of one module to a folder."""
    folder = binaries()
    command = tool("swift-symbolgraph-extract") + [
        "-module-name", module, "-I", str(folder / "Modules"), "-target", target_triple(),
        "-minimum-access-level", level, "-skip-synthesized-members",
        "-emit-extension-block-symbols", "-output-dir", str(output)] + clang_modules(folder)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        stop(f"Can't read the module '{module}': {(done.stderr or done.stdout).strip()}")


def graphs(level="public"):
    """The symbol graph of every public module."""
    for module in public_modules():
        with tempfile.TemporaryDirectory() as output:
            extract(module, output, level)
            parts = [
                json.loads(path.read_text(encoding="utf-8"))
                for path in sorted(pathlib.Path(output).glob("*.symbols.json"))]
        yield Graph(module, parts)


if __name__ == "__main__":
    if sys.argv[1] == "--order":
        print(*ordered_modules(), sep="\n")
        sys.exit(0)
    for name in public_modules():
        place = pathlib.Path(sys.argv[1]) / name
        place.mkdir(parents=True, exist_ok=True)
        extract(name, place)
