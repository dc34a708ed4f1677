import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { type LintOptions, runLint } from "../../cli/commands/lint.ts"
import { type TestHostOptions, testHost } from "../test-host.ts"

const projectFile = { "flags/project.yaml": "project: shop\nenvironments: [development, production]\n" }

/** Every kind of place: a span, two places, a whole file, a name and a string that attack terminals. */
export const everyPlace = {
  "flags/misspelt.yaml": "nmae: 50 % off, really\ndefaultValue: 1.10\ntype: string\n",
  "flags/one.yaml": "defaultValue: false\n",
  "flags/sub/one.yaml": "defaultValue: false\nexpires: 2026-01-01\n",
  "flags/sub, 50%: <a&b>/two.yaml": '"\\e[31m\\n::error::injected": "]]>"\ndefaultValue: false\n',
  "flags/\u001b[31mred\n::error::\u009b\u202e.yaml": "defaultValue: false\n",
}

/** A new folder with a project of these files. */
export function projectWith(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-formats-"))
  for (const [path, text] of Object.entries({ ...projectFile, ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return cwd
}

/** Lints a project, by default one with five errors and a warning in every kind of place. */
export async function lint(options: Partial<LintOptions>, host: TestHostOptions = {}) {
  const started = testHost({ cwd: host.cwd ?? projectWith(everyPlace), ...host })
  const status = await runLint({ flags: "flags", ...options }, started)
  return { status, out: started.out(), err: started.err(), cwd: started.cwd }
}

/** Everything that could control a terminal, except line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** The text of a format without what the documentation says about each code. */
function withoutExplanations(text: string): string {
  return text.replaceAll(/"help": \{[^}]*\}/g, '"help": {}')
}

/** What each format promises; `empty` is its output if nothing is wrong, unless that is a complete document. */
export function describeFormat(format: LintOptions["format"] & string, empty?: string): void {
  describe(`${format} like every format`, () => {
    test("prints everything on stdout, harmlessly, and the sum on stderr", async () => {
      const { status, out, err } = await lint({ format })
      expect(status).toBe(1)
      expect(out).not.toMatch(harmful)
      expect(err).toBe("4 flags checked: 5 errors, 1 warning\n")
      for (const code of ["unknown-field", "unquoted-value", "duplicate-key", "expired", "bad-name"]) {
        expect(out).toContain(code)
      }
    })

    test("prints this", async () => {
      const { out } = await lint({ format })
      const path = join(import.meta.dirname, "../cli/diagnostics/expected", `${format}.txt`)
      await expect(withoutExplanations(out)).toMatchFileSnapshot(path)
    })

    test("no mistakes", async () => {
      const { status, out } = await lint({ format }, { cwd: projectWith({}) })
      expect(status).toBe(0)
      if (empty === undefined) expect(out).not.toBe("")
      else expect(out).toBe(empty)
    })
  })
}
