import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openFile, readDocuments } from "../../../../cli/import/form/read-file.ts"
import { at, jsonOf, placeOf } from "../../../../cli/import/form/tree.ts"

const fileOf = (text: string) => ({ path: "a.yaml", text, environment: undefined })
const documentsIn = (text: string) => readDocuments(fileOf(text)).map(jsonOf)

test.each([
  ['{"a": [1, -2.5e1, true, false, null, "x"]}', [{ a: [1, -25, true, false, null, "x"] }]],
  ["  [\n{} , [] ]\r\n\t", [[{}, []]]],
  ['{"a\\u0041\\n": "\\"\\\\"}', [{ "aA\n": '"\\' }]],
  ["a: 1\nb: x\nc: true\nd: null\ne:", [{ a: 1, b: "x", c: true, d: null, e: null }]],
  ["{ a: 1 }", [{ a: 1 }]],
  ["- a\n- [b, 2]", [["a", ["b", 2]]]],
  ["a: 1\n---\n---\nb: 2", [{ a: 1 }, { b: 2 }]],
  ["", []],
  ["# nothing", []],
  ["a: &x { b: 1 }\nc: *x", [{ a: { b: 1 }, c: { b: 1 } }]],
  ["1: a\ntrue: b", [{ 1: "a", true: "b" }]],
  ["base: &x { b: 1 }\nc: { <<: *x, d: 2 }", [{ base: { b: 1 }, c: { d: 2, b: 1 } }]],
  [
    "x: &x { b: 1, c: 1 }\ny: &y { c: 2, d: 2 }\nz: { <<: [*x, *y], d: 3 }",
    [{ x: { b: 1, c: 1 }, y: { c: 2, d: 2 }, z: { d: 3, b: 1, c: 1 } }],
  ],
  ["x: &x { b: 1 }\ny: &y { <<: *x }\nz: { <<: *y }", [{ x: { b: 1 }, y: { b: 1 }, z: { b: 1 } }]],
  ["z: { <<: 5, a: 1 }", [{ z: { a: 1 } }]],
  ['"<<": 1', [{ "<<": 1 }]],
  ["d: 2024-01-02", [{ d: "2024-01-02" }]],
])("%j is read", (text, documents) => {
  expect(documentsIn(text)).toEqual(documents)
})

test.each([
  ['{"a" 1}', "a.yaml:1: not JSON: expected a colon"],
  ['{"a": 1,\n"b": 2 "c"}', "a.yaml:2: not JSON: expected a comma or }"],
  ["[1 2]", "a.yaml:1: not JSON: expected a comma or ]"],
  ['{"a": 01}', "a.yaml:1: not JSON: expected a comma or }"],
  ["[1,]", "a.yaml:1: not JSON: expected a value"],
  ["[", "a.yaml:1: not JSON: expected a value"],
  ['{"a": 1', "a.yaml:1: not JSON: expected a comma or }"],
  ["a: *gone", "a.yaml: the alias *gone has no anchor"],
  [
    "a: [",
    "a.yaml: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5:",
  ],
])("%j is refused: %s", (text, said) => {
  expect(() => documentsIn(text)).toThrow(said)
})

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
test.each(["", "a: "])("%jlists are nested at most 200 levels deep", (start) => {
  const most = start === "" ? 201 : 200 // the outermost one is at level 0
  expect(documentsIn(`${start}${nested(most)}`)).toHaveLength(1)
  expect(() => documentsIn(`${start}${nested(most + 1)}`)).toThrow(
    "nested deeper than 200 levels, which no flag tool writes",
  )
})

test("YAML has at most four million characters", () => {
  const filled = (length: number) => `a: 1 #${"x".repeat(length - 6)}`
  expect(documentsIn(filled(4 * 1024 * 1024))).toEqual([{ a: 1 }])
  expect(() => documentsIn(filled(4 * 1024 * 1024 + 1))).toThrow(
    "a.yaml: YAML of more than 4194304 characters: split the file, or export JSON",
  )
})

test("aliases stand for at most 500,000 values", () => {
  const list = `a: &a [${Array(999).fill("x").join()}]\n`
  const aliases = (count: number) => `${list}b: [${Array(count).fill("*a").join()}]`
  expect(documentsIn(aliases(90))).toHaveLength(1)
  expect(() => documentsIn(aliases(510))).toThrow(
    "a.yaml: more than 500000 values once its aliases are expanded: split the file",
  )
})

test("a value knows its place", () => {
  const [json] = readDocuments(fileOf('{"a~/b":\n [0, {"c": 1}]}'))
  const [yaml] = readDocuments(fileOf("x: &x\n  - 1\ny: *x"))
  const item = at(json, "a~/b")?.value
  expect(Array.isArray(item) && item[1] && placeOf(item[1])).toEqual({
    file: "a.yaml",
    pointer: "/a~0~1b/1",
    line: 2,
  })
  const y = at(yaml, "y")
  expect(y && placeOf(y)).toEqual({ file: "a.yaml", pointer: "/y", line: 2 })
})

test.each([
  ["a.json", undefined, "a.json"],
  ["production=a.json", "production", "a.json"],
  ["production=b=c.json", "production", "b=c.json"],
  ["./x=y.json", undefined, "./x=y.json"],
])("the file %s has the environment %s", (argument, environment, name) => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-read-"))
  for (const file of ["a.json", "b=c.json", "x=y.json"]) writeFileSync(join(cwd, file), "{}")
  expect(openFile(argument, cwd)).toEqual({ path: join(cwd, name), name, environment, text: "{}" })
})

test("a file that cannot be read is named as the user named it", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-read-"))
  mkdirSync(join(cwd, "folder"))
  expect(() => openFile("folder", cwd)).toThrow("folder is not a file: pass the files that you exported")
  expect(() => openFile("live=gone.json", cwd)).toThrow("gone.json cannot be read (ENOENT)")
  writeFileSync(join(cwd, "big-endian"), Buffer.from([0xfe, 0xff, 0, 0x7b]))
  expect(() => openFile("big-endian", cwd)).toThrow("big-endian is UTF-16")
})
