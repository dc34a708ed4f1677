// @module-tag system
import { expect, test } from "vitest"
import { createProjectRepository } from "../repository.ts"

// GitHub's runner takes any line for a command that begins with `::` or, in an older form, contains `##[`. The second is
// harmless in what other programs read, which must have the text as it is.

const name = "::error::x ##[add-mask]y"
const always = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
const flagOf = (staging: string, production: string) =>
  `key: k\nowner: "${name}"\ndescription: "${name}"\ndefaultValue: false\nenvironments:\n  staging: ${staging}\n  production: ${production}\n`

test.each([
  ["lint", ["lint"]],
  ["lint of mistakes", ["lint", "--flags", `${name}/broken`]],
  ["diff", ["diff", "HEAD", "--code", name]],
  ["diff, as Markdown", ["diff", "HEAD", "--format", "markdown"]],
  ["stale", ["stale", "--code", name]],
  ["usages", ["usages", "k", "--code", name]],
  ["usages of all, as Markdown", ["usages", "--format", "markdown"]],
  ["remove", ["remove", "k", "--task-only"]],
  ["remove, which deletes", ["remove", "k", "--force"]],
  ["promote", ["promote", "k", "--from", "staging", "--to", "production"]],
  ["promote, which refuses", ["promote", "own", "--from", "staging", "--to", "production"]],
  ["set", ["set", "k", "--in", "production", "--everyone", "true"]],
  ["set, which refuses", ["set", "own", "--in", "production", "--share", "5"]],
  ["set, which refuses a value", ["set", "text", "--in", "production", "--everyone", "b"]],
  ["promote --check", ["promote", "--check", "--from", "staging", "--to", "production"]],
  ["test", ["test", "--coverage"]],
  ["test --suggest", ["test", "--suggest"]],
  ["fmt", ["fmt"]],
  ["fmt --check", ["fmt", "--check"]],
  ["evaluate", ["evaluate", "k", "--environment", "production", "--explain"]],
  ["build", ["build", "--out", "dist"]],
  ["import", ["import", "flagd", `production=${name}.json`, "--flags", "new"]],
  ["attributes", ["attributes"]],
])("no line of %s is a command of GitHub's runner", async (what, args) => {
  const repository = createProjectRepository()
  const flags = `${name}/flags`
  repository.write(`${flags}/project.yaml`, "project: shop\nenvironments: [staging, production]\n")
  repository.write(`${name}/broken/project.yaml`, "project: shop\nenvironments: [staging]\n")
  repository.write(`${name}/broken/${name}.yaml`, "defaultValues: false\n")
  repository.write(`${flags}/${name}/k.yaml`, flagOf("{ enabled: false }", always))
  const ownRule = `{ enabled: true, rules: [{ attribute: "${name}", operator: exists, returnValue: true }] }`
  repository.write(`${flags}/text.yaml`, `type: string\ndefaultValue: "a\\n${name}"\n`)
  repository.write(`${flags}/own.yaml`, flagOf("{ enabled: false }", ownRule).replace("key: k", "key: own"))
  repository.write(
    `${flags}/${name}/k.spec.yaml`,
    "flag: k\ncases: [{ environment: production, expect: false }]\n",
  )
  repository.write(`${name}/${name}.ts`, 'get("k")\n')
  repository.write(
    `${name}.json`,
    JSON.stringify({ flags: { [name]: { state: name, variants: {}, defaultVariant: name } } }),
  )
  repository.write(`${flags}/${name}/long.yaml`, "defaultValue:   false\n")
  repository.commit(0)
  repository.write(`${flags}/${name}/k.yaml`, flagOf(always, "{ enabled: false }"))
  const own = args.includes("--flags") ? args : [...args, "--flags", flags]
  const { out, err } = await repository.flagstone(own)
  expect(`${out}${err}`).not.toBe("")
  const command = /Markdown|suggest|attributes/.test(what) ? /^\s*::/ : /^\s*::|##\[/
  expect(`${out}${err}`.split("\n").filter((line) => command.test(line))).toEqual([])
})
