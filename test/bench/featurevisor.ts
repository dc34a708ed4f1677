import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { environments } from "./flags-repository.ts"
import type { Contender, Cost } from "./process-cost.ts"

/** Featurevisor 1.11.1 with as many features of the same shape. npm must be able to install it. */
export function featurevisor(
  work: string,
  flags: number,
  run: (cwd: string, args: readonly string[]) => Cost,
): Contender {
  const folder = join(work, "featurevisor")
  for (const part of ["features", "attributes", "segments"])
    mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  const npm = ["install", "--silent", "--no-audit", "--no-fund", "@featurevisor/cli@1.11.1"]
  execFileSync("npm", npm, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  writeFileSync(
    join(folder, "featurevisor.config.js"),
    `module.exports = { tags: ["all"], environments: ${JSON.stringify(environments)}, prettyState: false }\n`,
  )
  for (const attribute of ["userId", "email", "country"]) {
    writeFileSync(join(folder, `attributes/${attribute}.yml`), "type: string\ndescription: x\n")
  }
  const segment = (name: string, condition: string) =>
    writeFileSync(join(folder, `segments/${name}.yml`), `description: x\nconditions:\n  - ${condition}\n`)
  segment("staff", "{ attribute: email, operator: endsWith, value: '@example.com' }")
  segment("dach", "{ attribute: country, operator: in, value: [DE, AT, CH] }")
  for (let flag = 0; flag < flags; flag++) {
    const rule = (key: string, segments: string, percentage: number) =>
      `      - { key: "${key}", segments: "${segments}", percentage: ${percentage} }\n`
    writeFileSync(
      join(folder, `features/feature-${flag}.yml`),
      `description: Shows feature ${flag} to those who asked for it, and later to all of them.\ntags: [all]\nbucketBy: userId\nenvironments:\n` +
        `  development:\n    rules:\n${rule("1", "*", 100)}` +
        `  staging:\n    rules:\n${rule("1", "staff", 100)}${rule("2", "*", 0)}` +
        `  production:\n    rules:\n${rule("1", "dach", 100)}${rule("2", "*", flag % 101)}`,
    )
  }
  const program = join(folder, "node_modules/.bin/featurevisor")
  return {
    name: "Featurevisor 1.11.1, build",
    run: () => run(folder, [program, "build", "--no-state-files"]),
  }
}
