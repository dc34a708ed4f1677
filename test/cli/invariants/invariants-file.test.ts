import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBuild } from "../../../cli/commands/build.ts"
import { runLint } from "../../../cli/commands/lint.ts"
import { runSchema } from "../../../cli/commands/schema.ts"
import { outsideGit, testHost } from "../../test-host.ts"

const on = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"

/** A host in a new folder with these files below `flags/`. */
function hostWith(files: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-invariants-"))
  const all = { "project.yaml": "project: shop\nenvironments: [production]\n", ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(cwd, "flags", name, ".."), { recursive: true })
    writeFileSync(join(cwd, "flags", name), text)
  }
  return testHost({ cwd, git: outsideGit })
}

const guarded = {
  "a.yaml": `defaultValue: false\nenvironments: { production: ${on} }\n`,
  "b.yaml": `defaultValue: false\nenvironments: { production: ${on} }\n`,
  "team/invariants.yaml": "- name: A needs B\n  if: { flag: a }\n  then: { flag: b }\n",
}

test("a build writes nothing while an invariant is broken, in whichever folder it is", async () => {
  const fine = hostWith(guarded)
  expect(await runBuild({ flags: "flags", out: "dist" }, fine)).toBe(0)
  expect(readFileSync(join(fine.cwd, "dist/production.json"), "utf8")).not.toContain("invariants")
  const broken = hostWith({ ...guarded, "b.yaml": "defaultValue: false\n" })
  expect(await runBuild({ flags: "flags", out: "dist" }, broken)).toBe(1)
  expect(broken.err()).toContain("`a` gives `true` (rule 1) and `b` gives `false` (not configured)")
})

const conditions = "[{ attribute: x, operator: equals, value: a }, { attribute: y, operator: exists }]"

test.each([
  [
    "one of two conditions is enough",
    `{ any: ${conditions}, returnValue: false }, { operator: always, returnValue: true }`,
    "rule 1",
  ],
  [
    "one of two is not",
    `{ all: ${conditions}, returnValue: true }, { operator: always, returnValue: false }`,
    "rule 2",
  ],
])("a broken invariant names the rule that decides where %s", async (_, rules, rule) => {
  const host = hostWith({
    "a.yaml": `defaultValue: true\nenvironments: { production: { enabled: true, rules: [${rules}] } }\n`,
    "invariants.yaml": "- name: A\n  if: { attribute: x, operator: equals, value: a }\n  then: { flag: a }\n",
  })
  expect(await runLint({ flags: "flags" }, host)).toBe(1)
  expect(host.out()).toContain(`{"x":"a"}\`: \`a\` gives \`false\` (${rule}).`)
})

test("lint writes the schema that an invariants file names", async () => {
  const line = "# yaml-language-server: $schema=../invariants.schema.json\n"
  const host = hostWith({
    ...guarded,
    "team/invariants.yaml": line + guarded["team/invariants.yaml"],
  })
  expect(await runLint({ flags: "flags" }, host)).toBe(0)
  const schema = readFileSync(join(host.cwd, "flags/invariants.schema.json"), "utf8")
  const { items } = JSON.parse(schema)
  await expect(`${JSON.stringify(items, null, 2)}\n`).toMatchFileSnapshot("expected-items.json.txt")
  const printed = testHost({ cwd: host.cwd, git: outsideGit })
  expect(await runSchema({ flags: "flags", invariants: true }, printed)).toBe(0)
  expect(printed.out()).toBe(schema)
})

test("a flag with more rules than the search looks at makes an invariant uncertain", async () => {
  const rules = Array.from(
    { length: 1_100 },
    (_, at) => `{ attribute: x, operator: equals, value: "v${at}", returnValue: ${at % 2 === 0} }`,
  )
  const host = hostWith({
    ...guarded,
    "b.yaml": `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${rules.join(", ")}] } }\n`,
  })
  expect(await runLint({ flags: "flags", format: "json" }, host)).toBe(1)
  expect(host.out()).toContain("uncertain-invariant")
})

test.each([
  [
    "never: { attribute: country, operator: equals, value: XX }",
    '`A needs B` does not hold for the context `{"country":"XX"}`. It names no flag, so no rule can mend it.\n',
  ],
  [
    "atMostOne: [{ flag: c }, { flag: a }, { flag: b }]",
    "for the context `{}`: `a` gives `true` (rule 1) and `b` gives `true` (rule 1).\n",
  ],
])("an invariant that is broken, or cannot be read, says why: %s", async (form, message) => {
  const c = "defaultValue: false\n"
  const host = hostWith({ ...guarded, "c.yaml": c, "team/invariants.yaml": `- name: A needs B\n  ${form}\n` })
  expect(await runLint({ flags: "flags" }, host)).toBe(1)
  expect(host.out()).toContain(message)
})

test("every invariant that is broken, uncertain or idle says so, and why", async () => {
  const rules = (...lines: readonly string[]) => `{ enabled: true, rules: [${lines.join(", ")}] }`
  const country = (value: string, returnValue: unknown) =>
    `{ attribute: country, operator: equals, value: ${value}, returnValue: ${returnValue} }`
  const boolean = (production: string, staging?: string) =>
    `defaultValue: false\nenvironments:\n${staging ? `  staging: ${staging}\n` : ""}  production: ${production}\n`
  const host = hostWith({
    "project.yaml":
      "project: shop\nenvironments: [staging, production, extra]\noperators: [isNear]\nattributes: { tags: { type: list }, country: {}, userId: {}, plan: {}, email: {}, x: {}, place: {} }\n",
    "a.yaml": boolean(rules(country("DE", true)), on),
    "b.yaml": `type: string\ndefaultValue: grey\nenvironments:\n  staging: { enabled: false }\n  production: ${rules(
      "{ all: [{ attribute: country, operator: equals, value: DE }], split: { by: userId, into: [{ share: 50, returnValue: green }, { share: 50, returnValue: blue }] } }",
      "{ attribute: plan, operator: equals, value: pro, returnValue: red }",
    )}\n`,
    "near.yaml": boolean(rules("{ attribute: place, operator: isNear, value: Berlin, returnValue: true }")),
    "matching.yaml": boolean(
      rules("{ attribute: email, operator: matches, value: ^qq$, returnValue: true }"),
    ),
    "mixed.yaml": boolean(
      rules(
        "{ all: [{ attribute: x, operator: startsWith, value: '1' }, { attribute: x, operator: greaterThan, value: '5' }, { attribute: x, operator: lessThan, value: '9' }], returnValue: true }",
      ),
    ),
    "tiny.yaml": boolean(rules("{ share: { by: userId, from: 50, to: 50.001 }, returnValue: true }")),
    "french.yaml": boolean(rules(country("FR", true)), on),
    "first.yaml": boolean(rules("{ attribute: tags, operator: equals, value: a, returnValue: true }")),
    "second.yaml": boolean(
      rules(
        "{ all: [{ attribute: tags, operator: equals, value: b }, { attribute: plan, operator: equals, value: pro }], returnValue: true }",
      ),
    ),
    "invariants.yaml": [
      "- { name: In two environments, never: { flag: a } }",
      "- { name: By each default, never: { flag: b, is: grey } }",
      "- { name: By its default, environments: [production], never: { flag: b, is: grey } }",
      "- { name: Where it is not, environments: [extra], never: { flag: b, is: grey } }",
      "- { name: By an arm, environments: [production], never: { flag: b, is: green } }",
      "- { name: After a split, environments: [production], never: { flag: b, is: red } }",
      "- { name: Elsewhere, environments: [production], never: { all: [{ flag: a, in: staging }, { flag: b, is: red }] } }",
      "- { name: An operator, environments: [production], never: { all: [{ flag: near }, { flag: a }] } }",
      "- { name: Allowed, never: { all: [{ flag: near }, { flag: a }] }, unless: unknown }",
      "- { name: An expression, never: { flag: matching } }",
      "- { name: A mixture, never: { flag: mixed } }",
      "- { name: A bound, never: { flag: tiny } }",
      "- { name: Uncertain twice, never: { any: [{ flag: near, in: production }] } }",
      "- { name: Beside an operator, environments: [production], never: { all: [{ flag: b, is: red }, { any: [{ flag: near }, { flag: a }] }] } }",
      "- { name: Two flags, atMostOne: [{ flag: b, is: green }, { flag: b, is: red }, { flag: a, is: true }] }",
      "- { name: One colour, atMostOne: [{ flag: b, is: green }, { flag: b, is: red }] }",
      "- { name: On or off, atMostOne: [{ flag: a, is: true }, { flag: a, is: false }] }",
      "- { name: Never neither, never: { none: [{ flag: a, is: true }, { flag: a, is: false }] } }",
      "- { name: Only by lists, environments: [production], atMostOne: [{ flag: a }, { flag: french }] }",
      "- { name: First where no list is needed, environments: [production, staging], atMostOne: [{ flag: a }, { flag: french }] }",
      "- { name: By a declared list and a text, atMostOne: [{ flag: first }, { flag: second }] }",
      "- { name: Without a flag, never: { attribute: tags, operator: equals, value: a } }",
      "- { name: Holds, if: { flag: a, in: production }, then: { any: [{ flag: b, is: blue, in: production }, { flag: b, is: green, in: production }, { attribute: userId, operator: notExists }, { flag: b, is: red, in: production }, { flag: b, is: grey, in: production }] } }",
      "",
    ].join("\n"),
  })
  expect(await runLint({ flags: "flags" }, host)).toBe(1)
  await expect(host.out()).toMatchFileSnapshot(join(import.meta.dirname, "diagnostics.txt"))
})
