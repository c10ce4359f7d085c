"""What runs in the browser: joined from modules, typed, and tested without a browser where it is pure.

Deno, which comes with the test extra, knows the types and runs the tests; it asks nobody else for anything.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from deno import find_deno_bin

from explorer.figures import plot
from explorer.ui import scripts, stage
from explorer.ui.travel import notebook
from tests.test_stage import lines

ROOT = Path(__file__).resolve().parent.parent
PHONE = ROOT / "explorer/poll/phone"  # a page of its own: tests/browser/test_phone.py runs its scripts as they are sent
STARTER = ROOT / "explorer" / "ui" / "travel" / "starter.js"  # which unpacks the others
FETCHED = ROOT / "explorer" / "host" / "bundles"  # Plotly's script, which is not ours
SCRIPTS = sorted(path for path in (ROOT / "explorer").rglob("*.js") if not {PHONE, FETCHED} & {*path.parents})
ENTRIES = [path for path in SCRIPTS if re.search(r"^export default function", path.read_text("utf-8"), re.MULTILINE)]
# What a script finds in a browser as soon as it is loaded.
BROWSER = "globalThis.window = globalThis; globalThis.matchMedia = () => ({ matches: false });"


@pytest.fixture(scope="session")
def deno(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Runs Deno: (arguments, its input) -> what it writes; what it keeps is forgotten."""
    kept = str(tmp_path_factory.mktemp("deno"))
    environment = {**os.environ, "DENO_DIR": kept, "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}

    def run(*arguments: str, given: str = "") -> str:
        command = [find_deno_bin(), *arguments]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def evaluated(deno: Any, code: str) -> Any:
    """What a module that is handed to Deno writes, as JSON; it may read, and nothing else."""
    return json.loads(deno("run", "--no-check", "--no-remote", "--allow-read", "-", given=code))


def modules(folder: Path, **texts: str) -> Path:
    """Modules by their names; the one called `first` is where a component starts."""
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / "first.js"


def test_types_of_all_scripts_are_right(deno: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.js"  # planted, so that a check that checks nothing is noticed
    wrong.write_text("/** @param {string} text */\nexport const twice = text => 2 * text\n", "utf-8")
    with pytest.raises(AssertionError) as noticed:
        deno("check", "--no-remote", "--config", "deno.json", "explorer", str(wrong))
    told = str(noticed.value).partition("\nassert ")[0]  # what follows shows it again
    assert told.count("[ERROR]") == 1 and "TS2363" in told, told
    assert len(SCRIPTS) >= 18 and all(f"Check {path.relative_to(ROOT).as_posix()}\n" in told for path in SCRIPTS)


def test_what_is_pure_in_the_scripts_does_what_it_says(deno: Any) -> None:
    told = deno("test", "--no-check", "--no-remote", "tests/scripts")
    passed = re.search(r"ok \| (\d+) passed \| 0 failed", told)
    assert passed is not None and int(passed[1]) >= 25, told


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.stem)
def test_every_component_loads_as_it_is_sent(deno: Any, entry: Path) -> None:
    sent = scripts.joined(entry)
    code = f"{BROWSER}\nconst sent = {json.dumps(sent)}\n"
    code += "const { default: start } = await import('data:text/javascript,' + encodeURIComponent(sent))\n"
    assert evaluated(deno, f"{code}console.log(JSON.stringify(typeof start))") == "function"


def test_every_script_is_sent() -> None:
    sent = "".join([*(scripts.joined(entry) for entry in ENTRIES), stage.module(), notebook.module()])
    unsent = [path.name for path in SCRIPTS if path not in (*ENTRIES, STARTER) and f"const ${path.stem} = " not in sent]
    assert len(ENTRIES) >= 8 and not unsent
    used = " ".join(path.read_text("utf-8") for path in (ROOT / "explorer" / "ui").rglob("*.py"))
    for entry in ENTRIES:
        beside, named = entry.with_suffix(".py"), (f'_script("{entry.stem}")', f'scripts.run(_HERE / "{entry.name}")')
        assert any(each in used for each in named) or "scripts.joined(" in beside.read_text("utf-8"), entry.name


def test_scripts_stand_in_files() -> None:
    script = re.compile(r"=>\s*\{|\bfunction\s*\(|\bdocument\.|\b(?:const|let) \w+ = ")
    hint = re.compile(r"=>|function|document\.|const|let")  # most files need not be read as Python
    for path in sorted((ROOT / "explorer").rglob("*.py")):
        for node in ast.walk(ast.parse(text)) if hint.search(text := path.read_text("utf-8")) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value.strip():
                documented = path.name == "scripts.py"  # says what it joins
                assert documented or not script.search(node.value), f"{path.name}:{node.lineno} holds a script"


def test_modules_keep_their_names_to_themselves(deno: Any, tmp_path: Path) -> None:
    first = modules(
        tmp_path,
        words="const own = 'words'\nexport const say = text => `${own}: ${text}`\n",
        numbers='import { say } from "./words.js"\n\nconst own = 7\nexport const told = () => say(own)\n',
        first='import {\n  told,\n} from "./numbers.js"\nimport { say } from "./words.js"\n\n'
        "const own = 'first'\nexport default function () { return [own, told(), say('mine')] }\n",
    )
    code = scripts.joined(first).replace("export default function", "const start = function")
    assert evaluated(deno, f"{code}console.log(JSON.stringify(start()))") == ["first", "words: 7", "words: mine"]
    assert code.count("const say = text") == 1


def test_what_a_module_exports_may_be_tested_where_a_component_starts(tmp_path: Path) -> None:
    first = modules(tmp_path, first="export const half = x => x / 2\nexport default function () { return half(4) }\n")
    assert "\nconst half" in f"\n{scripts.joined(first)}"


def test_comments_are_not_sent() -> None:
    kept = 'const a = "https://example.org"\nconst b = (/* plain */ 1)\n'
    text = f"// First.\n/**\n * A number.\n * @param {{number}} c\n */\n{kept}const f = c => c  // as it is\n\n"
    assert scripts.uncommented(text) == f"{kept}const f = c => c\n"
    assert scripts.uncommented("class A {\n  /** @type {X} */ b = (/** @type {Y} */ (c))\n}\n") == (
        "class A {\nb = ((c))\n}\n"
    )
    assert scripts.uncommented("a = 1 /** one */\nb()\n") == "a = 1\nb()\n"


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./words.js"',
        'import say from "./words.js"',
        'import { say as tell } from "./words.js"',
        'import "./words.js"',
        'import { say } from "https://example.org/words.js"',
        'export { say } from "./words.js"',
        "export let count = 0",
        "export const { a, b } = c",
    ],
)
def test_what_the_joiner_does_not_understand_is_refused(tmp_path: Path, line: str) -> None:
    first = modules(
        tmp_path, words="export const say = text => text\n", first=f"{line}\nexport default function () {{}}\n"
    )
    with pytest.raises(ValueError, match=r"first\.js must import and export by name"):
        scripts.joined(first)


def test_a_component_starts_at_one_place(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"first\.js must export one default function"):
        scripts.joined(modules(tmp_path, first="export const say = text => text\n"))


def test_a_page_imports_modules_as_one(deno: Any, tmp_path: Path) -> None:
    first = modules(
        tmp_path,
        words="export const say = text => `say ${text}`\nexport const unsaid = 1\n",
        first='import { say } from "./words.js"\n\nconst own = 1\n'
        "export const told = () => say(own)\nexport class Teller {}\n",
    )
    sent = json.dumps(scripts.module(first))
    code = "const before = Object.keys(globalThis)\nconst all = await import('data:text/javascript,' + "
    code += (
        f"encodeURIComponent({sent}))\nconst left = Object.keys(globalThis).filter(name => !before.includes(name))\n"
    )
    assert evaluated(deno, f"{code}console.log(JSON.stringify([Object.keys(all), all.told(), left]))") == [
        ["Teller", "told"],
        "say 1",
        [],
    ]


def test_a_module_that_exports_nothing_by_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"first\.js must export something by name"):
        scripts.module(modules(tmp_path, first="const a = 1\n"))
    with pytest.raises(ValueError, match=r"first\.js must import and export by name"):
        scripts.module(modules(tmp_path, first="export const a = 1\nexport default function () {}\n"))


def test_the_stages_module_leaves_no_name_but_what_stages_share(deno: Any) -> None:
    """Its one name in the window keeps what the host has said before, such as where Plotly comes from."""
    code = (
        f"{BROWSER}\nconst given = globalThis.ldpStages = {{ plotly: Promise.resolve(null) }}, {{ plotly }} = given\n"
    )
    code += f"const before = Object.keys(globalThis), sent = {json.dumps(stage.module())}\n"
    code += "const all = await import('data:text/javascript,' + encodeURIComponent(sent))\n"
    code += "const left = Object.keys(globalThis).filter(name => !before.includes(name))\n"
    code += "const { ldpStages } = globalThis\n"
    code += "console.log(JSON.stringify([Object.keys(all), left, ldpStages === given, ldpStages.plotly === plotly, "
    code += "Object.keys(ldpStages).sort()]))"
    exported, left, same, promised, shared = evaluated(deno, code)
    assert (exported, left, same, promised) == (["mount"], [], True, True)
    assert shared == ["plotly", "stages", "strips", "waiting"]


def test_modules_that_need_each_other_are_refused(tmp_path: Path) -> None:
    first = modules(
        tmp_path,
        one='import { b } from "./two.js"\nexport const a = () => b\n',
        two='import { a } from "./one.js"\nexport const b = () => a\n',
        first='import { a } from "./one.js"\nexport default function () { a() }\n',
    )
    with pytest.raises(ValueError, match=r"circle; got one\.js -> two\.js -> one\.js"):
        scripts.joined(first)


def test_two_modules_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    modules(tmp_path / "inner", words="export const b = 1\n")
    first = modules(
        tmp_path,
        words="export const a = 1\n",
        first='import { a } from "./words.js"\nimport { b } from "./inner/words.js"\n'
        "export default function () { return a + b }\n",
    )
    with pytest.raises(ValueError, match=r"got words\.js twice"):
        scripts.joined(first)


def test_browser_reads_what_the_server_packs(deno: Any) -> None:
    numbers = [0.1, 1e-300, 12345678.25]
    drawn = SimpleNamespace(
        answer="<p>ε\nä</p>", note="", alt="", drawing=None, figure=plot.Figure(plot.scatter(x=numbers, y=numbers), {})
    )
    plain = SimpleNamespace(answer="b", note="", alt="", drawing="<svg/>", figure=None)
    sent = stage.rolled("stage_a", "t", {3: drawn, 5: stage.encoded(plain)})
    module = (ROOT / "explorer/ui/stage/packed.js").as_uri()
    code = f"""
        import {{ headOf, restOf, scenesOf, unpack }} from {json.dumps(module)}
        const data = Uint8Array.from({list(sent)}), head = headOf(data)
        const rest = await restOf(data)
        const scenes = [...scenesOf(rest, head.stops)].map(([stop, texts]) => [stop, ...texts.map(JSON.parse)])
        console.log(JSON.stringify([head, scenes.map(([stop, words, figure]) =>
          [stop, words.answer, words.drawing, figure && [...unpack(figure.data[0].x)]])]))"""
    head, scenes = evaluated(deno, code)
    assert head == {"key": "stage_a", "late": 0, "token": "t", "stops": [3, 5]}
    assert scenes == [[3, "<p>ε\nä</p>", None, numbers], [5, "b", "<svg/>", None]]


def test_a_point_looks_as_its_own_values_and_those_of_all_points_say(deno: Any) -> None:
    """A symbol of all points that becomes another is another look too; packed numbers are each point's own."""
    code = f"""import {{ looks }} from {json.dumps((ROOT / "explorer/ui/stage/points.js").as_uri())}
    const size = {{ dtype: "u1", bdata: btoa(String.fromCharCode(7, 9)) }}
    const markers = [{{ symbol: "circle" }}, {{ symbol: "diamond" }}, {{ symbol: ["circle", "diamond"], size }}]
    console.log(JSON.stringify(markers.map(marker => looks({{ marker }}, 2))))"""
    one, other, own = evaluated(deno, code)
    assert one[0] == one[1] != other[0] == other[1]
    assert len({*one, *other, *own}) == 4


def test_a_stage_refuses_a_head_that_is_not_whole(deno: Any) -> None:
    """Each missing field of a head is named; `Record<keyof Head, …>` lets the types hold the list."""
    sent = lines()[0]
    code = f"""import {{ missing }} from {json.dumps((ROOT / "explorer/ui/stage/contract.js").as_uri())}
    const head = {json.dumps(sent)}
    const without = (fields, name) => {{ const {{ [name]: _, ...rest }} = fields; return rest }}
    const parts = ["labels", "handle"].flatMap(part => Object.keys(head[part]).map(name =>
      [part + "." + name, missing({{ ...head, [part]: without(head[part], name) }})]))
    console.log(JSON.stringify([missing(head), missing({{ ...head, handle: null, template: null }}),
      [...Object.keys(head).map(name => [name, missing(without(head, name))]), ...parts],
      missing({{ ...head, stem: 5 }})]))"""
    whole, drawn, each, other = evaluated(deno, code)
    assert whole == drawn == [] and other == ["stem"]
    assert len(each) == len(sent) + len(sent["labels"]) + len(sent["handle"]) == 35
    assert all(name in said and (len(said) == 1 or name == "labels") for name, said in each), each
