// @module-tag system
// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { openRepository } from "../../repository.ts"
import { testHost } from "../../test-host.ts"

const projectFile = `project: shop
environments: [staging, production]
ignore: [drafts/**]
fastLane:
  - environments: [staging]
  - { environments: [production], gives: default }
  - { environments: [production], only: { segment: staff } }
  - { environments: [production], grows: 5 }
`
const checkout = (share: number, rest = "") => `defaultValue: false
environments:
  staging: { enabled: true, rules: [{ segment: staff, returnValue: true }] }
  production:
    enabled: true
    rules:
      - { segment: staff, returnValue: true }
      - { share: { by: userId, to: ${share}, seed: c }, returnValue: true }
${rest}`

const second = (share: number) =>
  `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ share: { by: userId, to: ${share} }, returnValue: true }] } }\n`

const files: Readonly<Record<string, string>> = {
  "flags/project.yaml": projectFile,
  "flags/staff.segment.yaml": 'attribute: email\noperator: endsWith\nvalue: "@example.com"\n',
  "flags/checkout.yaml": checkout(10),
  "flags/second.yaml": second(10),
  "flags/nation.segment.yaml": "attribute: country\noperator: in\nvalue: { file: countries.txt }\n",
  "flags/countries.txt": "DE\n",
  "flags/customers.txt": "a\nb\n",
  "flags/partners.txt": "d\n",
  "flags/listed.yaml":
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ attribute: userId, operator: in, value: { file: customers.txt }, returnValue: true }, { attribute: userId, operator: in, value: { file: partners.txt }, returnValue: true }, { segment: nation, returnValue: true }] } }\n",
  "flags/other.yaml": "defaultValue: false\nenvironments: { production: { enabled: true, rules: [] } }\n",
  "flags/needs.yaml":
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: other, returnValue: true }] } }\n",
  "flags/invariants.yaml":
    "- name: Payments need the checkout\n  if: { flag: payments }\n  then: { flag: checkout }\n- name: Partners are listed\n  if: { attribute: userId, operator: in, value: { file: partners.txt } }\n  then: { flag: listed }\n",
  "flags/payments.yaml":
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: checkout, returnValue: true }] } }\n",
}

/** A repository with the files committed, then changed: `null` removes one. */
function changed(changes: Readonly<Record<string, string | null>>) {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-lane-"))
  const repository = openRepository(cwd)
  repository.git("init", "-q")
  const write = (all: Readonly<Record<string, string | null>>) => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      if (text === null) rmSync(join(cwd, path))
      else writeFileSync(join(cwd, path), text)
    }
  }
  write(files)
  repository.commit(0)
  write(changes)
  return { cwd, repository }
}

async function judge(cwd: string, ...args: readonly string[]) {
  const host = testHost({ cwd })
  const status = await run(["diff", ...args, "--fast-lane"], host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

test.each([
  [
    "a flag that is switched off",
    {
      "flags/checkout.yaml": checkout(10).replace(
        "production:\n    enabled: true",
        "production:\n    enabled: false",
      ),
    },
    "in `production` users only fall back to the default",
  ],
  [
    "a rollout that grows by five points",
    { "flags/checkout.yaml": checkout(15) },
    "in `production` a rollout grows by at most 5 points, and no one loses it",
  ],
  [
    "anything in staging",
    {
      "flags/checkout.yaml": checkout(10).replace(
        "[{ segment: staff, returnValue: true }]",
        "[{ operator: always, returnValue: true }]",
      ),
    },
    "in `staging` any change is allowed",
  ],
  [
    "a rule for staff",
    {
      "flags/other.yaml":
        "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ segment: staff, returnValue: true }] } }\n",
    },
    "in `production` only users in segment `staff` change",
  ],
  [
    "fewer in a flag's list",
    { "flags/customers.txt": "a\n" },
    "in `production` users only fall back to the default",
  ],
  ["a spec", { "flags/other.spec.yaml": "flag: other\n" }, "no user gets a different value"],
  ["a new owner", { "flags/checkout.yaml": checkout(10, "owner: me\n") }, "no user gets a different value"],
])("inside: %s", async (_, changes, reason) => {
  const { cwd } = changed(changes)
  expect(await judge(cwd)).toEqual({ status: 0, out: `inside the fast lane: ${reason}\n`, err: "" })
})

const unchanged = "is not the file of a flag"
test.each([
  [
    "six points",
    { "flags/checkout.yaml": checkout(16) },
    '`checkout` gives `true` instead of `false` to the context `{"userId":"',
  ],
  [
    "a new default",
    {
      "flags/other.yaml": "defaultValue: true\nenvironments: { production: { enabled: true, rules: [] } }\n",
    },
    "`needs` gives `true` instead of `false`",
  ],
  ["a removed flag", { "flags/needs.yaml": null }, "the flag `needs` is removed"],
  ["a new flag", { "flags/new.yaml": "defaultValue: false\n" }, "the flag `new` is added"],
  ["another type", { "flags/needs.yaml": "type: string\ndefaultValue: a\n" }, "the type of `needs` changes"],
  ["another id", { "flags/checkout.yaml": checkout(10, "id: mine\n") }, "an id of `checkout` changes"],
  [
    "the project file",
    { "flags/project.yaml": `${projectFile}# x\n` },
    `\`flags/project.yaml\` ${unchanged}`,
  ],
  [
    "a segment",
    { "flags/staff.segment.yaml": "attribute: email\noperator: exists\n" },
    `\`flags/staff.segment.yaml\` ${unchanged}`,
  ],
  ["an invariant", { "flags/invariants.yaml": "[]\n" }, `\`flags/invariants.yaml\` ${unchanged}`],
  [
    "a workflow",
    { ".github/workflows/flags.yaml": "on: push\n" },
    `\`.github/workflows/flags.yaml\` ${unchanged}`,
  ],
  ["keys", { "keys.yaml": "keys: []\n" }, `\`keys.yaml\` ${unchanged}`],
  [
    "an ignored spec",
    { "flags/drafts/a.spec.yaml": "flag: a\n" },
    `\`flags/drafts/a.spec.yaml\` ${unchanged}`,
  ],
  ["a segment's list", { "flags/countries.txt": "DE\nFR\n" }, `\`flags/countries.txt\` ${unchanged}`],
  ["an invariant's list", { "flags/partners.txt": "c\n" }, `\`flags/partners.txt\` ${unchanged}`],
  [
    "more of a flag's list",
    { "flags/customers.txt": "a\nb\nc\n" },
    "`listed` gives `true` instead of `false`",
  ],
  [
    "two rollouts that grow",
    { "flags/checkout.yaml": checkout(12), "flags/second.yaml": second(12) },
    "the rollouts of both `checkout` and `second` grow",
  ],
])("outside: %s", async (_, changes: Readonly<Record<string, string | null>>, reason) => {
  const { cwd, repository } = changed(changes)
  const uncommitted = await judge(cwd)
  expect(uncommitted).toMatchObject({ status: 1, err: "" })
  expect(uncommitted.out).toContain(`outside the fast lane: `)
  expect(uncommitted.out).toContain(reason)
  repository.commit(1)
  expect((await judge(cwd, "HEAD~1", "HEAD")).out).toBe(uncommitted.out)
})

test("the nearest entry is shown, with its place", async () => {
  const { cwd } = changed({ "flags/checkout.yaml": checkout(16) })
  expect((await judge(cwd)).out).toContain(
    "flags/project.yaml:8:5 nearest: here, one rollout may grow by at most 5 points, from the default",
  )
})

test("a kill switch that breaks an invariant is outside", async () => {
  const text =
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: true }] } }\n"
  const { cwd, repository } = changed({ "flags/payments.yaml": text, "flags/checkout.yaml": text })
  repository.commit(1)
  writeFileSync(join(cwd, "flags/checkout.yaml"), text.replace("enabled: true", "enabled: false"))
  const { status, out } = await judge(cwd)
  expect({ status, out }).toEqual({
    status: 1,
    out: expect.stringContaining("`Payments need the checkout` does not hold for the context `{}`"),
  })
})

test("a link to a flag file is no flag's file, and a branch must contain its base", async () => {
  const { cwd, repository } = changed({})
  symlinkSync("checkout.yaml", join(cwd, "flags/linked.yaml"))
  repository.commit(1)
  expect((await judge(cwd, "HEAD~1", "HEAD")).out).toContain("`flags/linked.yaml` is not the file of a flag")
  repository.git("checkout", "-q", "-b", "old", "HEAD~1")
  writeFileSync(join(cwd, "flags/checkout.yaml"), checkout(12))
  repository.commit(2)
  const { status, out } = await judge(cwd, "@{-1}...HEAD")
  expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining("update it") })
})

test("without a lane, everything is outside", async () => {
  const { cwd, repository } = changed({ "flags/project.yaml": projectFile.replace(/fastLane:[\s\S]*/, "") })
  repository.commit(1)
  expect((await judge(cwd)).out).toContain("has no `fastLane`")
})

test.each([
  ["--format", "json"],
  ["--only", "staging"],
  ["--contexts", "-"],
  ["--max-warnings", "0"],
  ["--accept", "everyone-changes"],
  ["--accept-labels", "[]"],
  ["--catalog-url", "https://a.example"],
  ["--code", "src"],
  ["--exit-code"],
  ["--tolerate-broken-base"],
])("the lane is judged as a whole, so not with %s", async (...args: readonly string[]) => {
  expect(await judge(tmpdir(), ...args)).toEqual({
    status: 2,
    out: "",
    err: expect.stringContaining(`option '--fast-lane' cannot be used with option '${args[0]}`),
  })
})
