import { join } from "node:path"
import { environmentNamePattern } from "../../proxy/contract/environment-name.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { Failure } from "../failure.ts"
import { patternWords } from "../language/names.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import { type Project, parseProject } from "../reading/project.ts"

/** A new project for flags of another tool. Throws `Failure` if one of their environments has an impossible name. */
export function importedProject(
  folder: string,
  environments: readonly string[],
  name: string,
  clock?: string,
): Project {
  const report = createReport()
  const wrong = environments.find((one) => !environmentNamePattern.test(one))
  if (wrong !== undefined)
    throw new Failure(
      `the environment ${wrong} needs a name of ${patternWords.get(environmentNamePattern.source)}: rename it with --map ${wrong}=default`,
    )
  const production = environments.filter((one) => /^(prod|production|live)$/i.test(one))
  const guessed = "# By their names. flagstone diff lists changes in them first, and warns of risky ones."
  const text = [
    `project: ${yamlLine(name)}`,
    "# In the order in which changes reach them.",
    `environments: ${yamlLine([...environments])}`,
    ...(production.length === 0 ? [] : [guessed, `protected: ${yamlLine([...production])}`]),
    ...(clock === undefined ? [] : ["# The attribute of the time, which ramps compare.", `clock: ${clock}`]),
  ]
  const source = { path: join(folder, projectFileName), text: `${text.join("\n")}\n` }
  const project = parseProject(source, folder, report)
  if (project !== undefined) return project
  throw new Failure(report.diagnostics[0]?.message ?? "the project file is not valid")
}
