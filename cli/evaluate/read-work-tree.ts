import { checkFiles } from "../compile/checks/check-files.ts"
import { conditionAt } from "../compile/definition/condition.ts"
import { readProject } from "../compile/definition/project.ts"
import { readSources } from "../compile/definition/read.ts"
import { resolveFlag } from "../compile/meaning/resolve.ts"
import { compareText, type Report } from "../diagnostics/diagnostic.ts"
import { chooseEnvironment } from "./choose-environment.ts"
import type { FlagSet } from "./flag-set.ts"

/**
 * What the work tree means in one environment, committed or not. It needs no git and writes nothing, since the times,
 * which only git knows, change no evaluation. Flags with errors are reported.
 * `undefined` where the project file has mistakes; throws `Failure` where there is no project or no such environment.
 */
export function readWorkTree(
  folder: string,
  environment: string | undefined,
  report: Report,
): FlagSet | undefined {
  const project = readProject(folder, report)
  if (project === undefined) return undefined
  const names = project.environments.map(({ name }) => name)
  const chosen = chooseEnvironment(environment, names)
  const definitions = checkFiles(readSources(folder, report), project, report)
  const flags = definitions
    .map((definition) => resolveFlag(definition, project))
    .toSorted((a, b) => compareText(a.flag.key, b.flag.key))
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  return {
    document: {
      flags: flags.map(({ flag, configurations }) => {
        const configuration = configurations.get(chosen)
        return {
          flag: { ...flag, createdAt: "", updatedAt: "" },
          environment: configuration === undefined ? null : { ...configuration, updatedAt: "" },
        }
      }),
    },
    environment: chosen,
    locate(key, rule, inner = []) {
      const definition = byKey.get(key)
      const configuration = definition?.configurations.find((one) => one.environment === chosen)
      const condition = configuration?.rules[rule]?.condition
      const span = condition && conditionAt(condition, inner)?.node
      return definition && span && { source: definition.source, span }
    },
  }
}
