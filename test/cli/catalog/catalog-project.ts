import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { PageData } from "../../../cli/catalog/page/page-data.ts"
import { type CatalogOptions, runCatalog } from "../../../cli/commands/catalog.ts"
import { createRepository, openRepository, type TestRepository } from "../../repository.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

/** A repository with a small project whose flags have every state, and a history. */
export function createCatalogProject(): TestRepository {
  const repository = createRepository()
  repository.write(
    "flags/project.yaml",
    "project: shop\nenvironments: [development, staging, production]\nprotected: [production]\nattributes:\n" +
      "  plan: { values: [free, pro], description: What the customer pays for. }\n  age: { type: number }\n  email: {}\n  customerId: {}\n",
  )
  repository.write("flags/gone.yaml", "defaultValue: false\n")
  repository.write("flags/checkout.yaml", checkout("10"))
  repository.commit(0)
  repository.write("flags/checkout.yaml", checkout("20"))
  repository.remove("flags/gone.yaml")
  repository.commit(86_400)
  repository.write(
    "flags/checkout.spec.yaml",
    "flag: checkout\ncases:\n  - { environment: staging, expect: true }\n",
  )
  repository.write(
    "flags/team/theme.yaml",
    "name: Theme\ndescription: Colours of the shop.\ntype: string\ndefaultValue: light\ntags: [look, web]\nexpires: 2026-12-01\nenvironments:\n" +
      "  development: { enabled: true, rules: [{ operator: always, returnValue: dark }] }\n" +
      "  production:\n    enabled: true\n    rules:\n" +
      "      - { attribute: plan, operator: equals, value: pro, returnValue: dark }\n" +
      '      - { attribute: email, operator: matches, value: "@shop[.]example$", returnValue: dark }\n' +
      '      - { attribute: age, operator: greaterThan, value: "65", returnValue: large }\n',
  )
  repository.write(
    "flags/same.yaml",
    "defaultValue: false\nowner: team-b\nenvironments:\n  production: { enabled: false, rules: [{ operator: always, returnValue: true }] }\n",
  )
  repository.commit(2 * 86_400)
  return openRepository(repository.folder)
}

const checkout = (share: string) =>
  `defaultValue: false\nowner: team-a\nenvironments:\n  staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n  production:\n    enabled: true\n    rules:\n      - { attribute: customerId, operator: percentage, value: "${share}", returnValue: true }\n`

/** Writes a catalogue and returns its path, its text and the command's output. */
export async function writeCatalog(
  repository: TestRepository,
  options: Partial<CatalogOptions> = {},
  host: TestHostOptions = {},
) {
  const given = testHost({ cwd: repository.folder, ...host })
  const out = options.out ?? ".git/site/index.html" // where it does not make the work tree dirty
  const status = await runCatalog({ flags: "flags", authors: true, ...options, out }, given)
  const path = join(repository.folder, out)
  return {
    status,
    path,
    out: given.out(),
    err: given.err(),
    text: status === 0 ? readFileSync(path, "utf8") : "",
  }
}

/** The data of a catalogue's script. */
export function dataOf(text: string): PageData {
  return JSON.parse(/id="data">(.*)<\/script>/.exec(text)?.[1] ?? "")
}

/** A catalogue without its script and style, which have their own tests, and with readable data. */
export function readable(text: string): string {
  return text
    .replace(/<style>[\s\S]*?<\/style>/, "<style>…</style>")
    .replace(/<script>[\s\S]*?<\/script>/, "<script>…</script>")
    .replace(/sha256-[\w+/=]+/g, "sha256-…")
    .replace(/(<script type="application\/json" id="data">)(.*)(<\/script>)/, (_all, start, json, end) => {
      const lines = Object.entries(JSON.parse(json)).map(([name, value]) => {
        const items = Array.isArray(value) && typeof value[0] === "object" ? value : undefined
        if (items === undefined) return `${name}: ${JSON.stringify(value)}`
        return [`${name}:`, ...items.map((item) => JSON.stringify(item))].join("\n")
      })
      return [start, ...lines, end].join("\n")
    })
}
