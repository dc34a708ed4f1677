// @module-tag system
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Ajv } from "ajv"
import { expect, test } from "vitest"
import type { DeclaredFlag } from "../../../cli/codegen/declared-flags.ts"
import { manifestText } from "../../../cli/codegen/manifest.ts"
import { typesText } from "../../../cli/codegen/types.ts"
import { commentText } from "../../../cli/diagnostics/comment-text.ts"
import { createProjectRepository } from "../../repository.ts"

const root = resolve(import.meta.dirname, "../../..")

/** Of open-feature/cli v0.4.1, schema/v0/flag-manifest.json, under the Apache License 2.0, unchanged. */
const schema = JSON.parse(readFileSync(join(import.meta.dirname, "schema/flag-manifest.json"), "utf8"))

const repository = createProjectRepository()
const define = (key: string, defaultValue: string, returnValue: string, type = "", description = "") =>
  repository.write(
    `flags/${key}.yaml`,
    [
      ...(type === "" ? [] : [`type: ${type}`]),
      ...(description === "" ? [] : [`description: ${JSON.stringify(description)}`]),
      `defaultValue: ${defaultValue}`,
      "environments:",
      "  staging: { enabled: true }",
      "  production:",
      "    enabled: true",
      `    rules: [{ attribute: plan, operator: equals, value: pro, returnValue: ${returnValue} }]`,
      "",
    ].join("\n"),
  )
define("checkout", "false", "true", "", 'Ends */ the """ comment \\u002a/ \n of \u202e all')
define("count", "1", "2", "number")
define("layout", "{ columns: 2 }", "{ columns: 3 }", "json")
define("ratio", "1", "1.5", "number")
define("theme", "blue", "gold", "string")
repository.commit(0)

test("codegen manifest prints what OpenFeature's CLI reads", async () => {
  const { status, out, err } = await repository.flagstone(["codegen", "manifest"])
  expect({ status, err }).toEqual({ status: 0, err: "" })
  const manifest = JSON.parse(out)
  expect(manifest.flags).toEqual({
    checkout: {
      flagType: "boolean",
      defaultValue: false,
      description: "Ends * / the ''' comment /u002a/ of all",
    },
    count: { flagType: "integer", defaultValue: 1 },
    layout: { flagType: "object", defaultValue: { columns: 2 } },
    ratio: { flagType: "float", defaultValue: 1 },
    theme: { flagType: "string", defaultValue: "blue" },
  })
  const validate = new Ajv({ strict: false }).compile(schema)
  expect([validate(manifest), validate.errors]).toEqual([true, null])
  expect(validate({ flags: { theme: { flagType: "json", defaultValue: 1 } } })).toBe(false)
})

test("codegen manifest says on stderr which keys give no names", async () => {
  const odd = createProjectRepository()
  for (const key of ["2fa", "a-b.c_d", "team/pay"])
    odd.write(`flags/${key.replace("/", "-")}.yaml`, `key: ${key}\ndefaultValue: false\n`)
  odd.commit(0)
  const { status, out, err } = await odd.flagstone(["codegen", "manifest"])
  expect({ status, err }).toEqual({
    status: 0,
    err: ["2fa", "team/pay"]
      .map((key) => `${key} cannot become a function name: the generated code would not compile\n`)
      .join(""),
  })
  expect(Object.keys(JSON.parse(out).flags)).toEqual(["2fa", "a-b.c_d", "team/pay"])
})

test("codegen prints nothing for programs if the flags have mistakes", async () => {
  const broken = createProjectRepository()
  broken.write("flags/a.yaml", "defaultValue: [\n")
  broken.commit(0)
  for (const command of ["manifest", "types"]) {
    const { status, out, err } = await broken.flagstone(["codegen", command])
    expect({ status, out }).toEqual({ status: 1, out: "" })
    expect(err).toContain("flags/a.yaml:")
  }
})

test("codegen types marks flags that had expired when the newest commit was made, on whatever day it runs", async () => {
  const { write, commit, flagstone } = createProjectRepository()
  write("flags/a.yaml", "description: Hints.\ndefaultValue: false\nexpires: 2020-01-15\n")
  write("flags/b.yaml", "defaultValue: false\nexpires: 2020-01-15T12:00:00+01:00\n")
  write("flags/c.yaml", "defaultValue: false\nexpires: 2020-01-16\n")
  commit(14 * 86_400)
  const printed = async (now: number) => (await flagstone(["codegen", "types"], { now: () => now })).out
  const out = await printed(0)
  expect(out).toContain(
    '  /** Hints. @deprecated expired on 2020-01-15 */\n  readonly "a": boolean\n  readonly "b"',
  )
  expect(out).toContain('  readonly "c": boolean\n')
  expect(await printed(Date.UTC(2030, 0, 1))).toBe(out)
  write("flags/d.yaml", "defaultValue: false\n")
  commit(16 * 86_400)
  expect(await printed(0)).toContain("/** @deprecated expired on 2020-01-15T12:00:00+01:00 */")
})

test("codegen needs no history, so a clone of depth 1 gives the same", async () => {
  const { write, commit, flagstone, git, folder } = createProjectRepository()
  write("flags/a.yaml", "defaultValue: false\n")
  commit(0)
  write("flags/b.yaml", "defaultValue: false\n")
  commit(86_400)
  const clone = mkdtempSync(join(tmpdir(), "flagstone-codegen-"))
  git("clone", "-q", "--depth", "1", `file://${folder}`, clone)
  for (const command of ["types", "manifest"]) {
    const { out } = await flagstone(["codegen", command])
    expect(await flagstone(["codegen", command], { cwd: clone })).toEqual({ status: 0, out, err: "" })
  }
})

const flag = (key: string, changes: Partial<DeclaredFlag> = {}): DeclaredFlag => ({
  key,
  description: "",
  type: "boolean",
  defaultValue: false,
  values: [false, true],
  ...changes,
})

test("values are as visible in generated files as in flag files", () => {
  const value = "\u202e\u2066\u009b\u{e0041}"
  const flag: DeclaredFlag = {
    key: "a",
    description: "",
    type: "string",
    defaultValue: value,
    values: [value],
  }
  for (const text of [typesText([flag]), manifestText([flag])])
    expect(text).not.toMatch(/[\p{Cf}\u0080-\u009f]/u)
  expect(JSON.parse(manifestText([flag])).flags.a.defaultValue).toBe(value)
})

test("a blank description is left out", () => expect(commentText(" \n\t ")).toBe(""))

/** tsc's errors in programs beside the generated types, by file. */
function compile(types: string, programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-types-"))
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    writeFileSync(join(folder, "flags.d.ts"), types)
    for (const [file, text] of Object.entries(programs)) writeFileSync(join(folder, file), text)
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"]
    const files = ["flags.d.ts", ...Object.keys(programs)]
    execFileSync(join(root, "node_modules/.bin/tsc"), [...options, "--types", "node", ...files], {
      cwd: folder,
      encoding: "utf8",
    })
    return ""
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const preamble = `import { OpenFeature } from "@openfeature/server-sdk"
import type { FlagValues } from "./flags.js"
const client = OpenFeature.getClient()
`

test("codegen types lets the compiler accept right keys and values, and refuse others", async () => {
  const { status, out, err } = await repository.flagstone(["codegen", "types"])
  expect({ status, err }).toEqual({ status: 0, err: "" })
  const good = `${preamble}
export const checkout: boolean = await client.getBooleanValue("checkout", false)
export const theme: "blue" | "gold" = await client.getStringValue<FlagValues["theme"]>("theme", "blue")
export const count: 1 | 2 = await client.getNumberValue<FlagValues["count"]>("count", 1)
export const layout = await client.getObjectValue<FlagValues["layout"]>("layout", {})
`
  expect(compile(out, { "good.ts": good })).toBe("")
  const bad = [
    'await client.getBooleanValue("chekout", false)',
    'await client.getBooleanValue("theme", false)',
    'await client.getStringDetails("checkout", "")',
    'await client.getNumberValue("layout", 0)',
    'await client.getObjectValue("count", {})',
    'await client.getStringValue<FlagValues["theme"]>("theme", "green")',
  ]
  const said = compile(out, { "bad.ts": `${preamble}${bad.join("\n")}\n` })
  expect([...new Set([...said.matchAll(/^bad\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 4))]).toEqual(
    bad.map((_, index) => index),
  )
})

test("types compile whatever a key, a value or a description is, and with few flags", () => {
  const odd = [
    flag("__proto__", { description: "*/ }" }),
    flag('a"b', { type: "string", values: ['"\\', "\u2028", "`$`"] }),
    flag("many", { type: "integer", values: Array.from({ length: 13 }, (_, index) => index) }),
    flag("small", { type: "float", values: [-1.5, 1e-7, 1e21] }),
  ]
  const many = `${preamble}
export const many: number = await client.getNumberValue<FlagValues["many"]>("many", 99)
export const proto: boolean = await client.getBooleanValue("__proto__", false)
export const small: FlagValues["small"] = 1e21
`
  expect(compile(typesText(odd), { "odd.ts": many })).toBe("")
  expect(compile(typesText([]), { "none.ts": preamble })).toBe("")
})
