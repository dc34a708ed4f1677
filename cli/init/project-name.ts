import { basename, dirname } from "node:path"
import { createInterface } from "node:readline"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { patternWords, projectNamePattern } from "../language/names.ts"

/** The name of a new project, and whether it is only that of the folder in which the flags folder is. */
export interface ProjectName {
  readonly name: string
  readonly isGuessed: boolean
}

/**
 * Names a new project: as it is given, as the user answers on the terminal of `host`, or else after the folder. Throws
 * `Failure` if that cannot be a project's name.
 */
export async function nameProject(
  given: string | undefined,
  flagsFolder: string,
  host: Pick<Host, "isTerminal" | "stdin" | "stderr"> | undefined,
): Promise<ProjectName> {
  const folder = basename(dirname(flagsFolder))
  if (given !== undefined) {
    if (!isName(given)) throw new Failure(`--project ${given}: ${rule}`)
    return { name: given, isGuessed: false }
  }
  if (host?.isTerminal.stdin && host.isTerminal.stderr)
    return { name: await ask(isName(folder) ? folder : undefined, host), isGuessed: false }
  if (isName(folder)) return { name: folder, isGuessed: true }
  throw new Failure(`name the project with --project, because its folder is called "${folder}": ${rule}`)
}

const rule = `a project's name must be ${patternWords.get(projectNamePattern.source)}`

function isName(text: string): boolean {
  return projectNamePattern.test(text)
}

/** Asks until the answer can be a name. An empty answer is the default. */
async function ask(byDefault: string | undefined, { stdin, stderr }: Pick<Host, "stdin" | "stderr">) {
  const question = byDefault === undefined ? "Name of the project: " : `Name of the project [${byDefault}]: `
  stderr.write(question)
  for await (const line of createInterface({ input: stdin })) {
    const answer = line.trim() === "" ? byDefault : line.trim()
    if (answer !== undefined && isName(answer)) return answer
    stderr.write(`${rule}\n${question}`)
  }
  stderr.write("\n")
  throw new Failure("no answer: name the project with --project")
}
