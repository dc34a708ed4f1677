import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { manifestFile, parseManifest } from "../../proxy/contract/manifest.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { locateFlags } from "../project/locate-flags.ts"
import { readProject } from "../reading/project.ts"

/** A project's name and those of its environments. */
export interface ProjectNames {
  readonly project: string
  readonly environments: readonly string[]
}

/**
 * The names in the project file that belongs to the folder `cwd`, else in a manifest next to the key file or in `dist`.
 * `undefined` if there is neither, or it has mistakes, which other commands report.
 */
export async function findProjectNames(cwd: string, keyFile: string): Promise<ProjectNames | undefined> {
  const flags = locateFlags(cwd)
  const project = flags === undefined ? undefined : readProject(flags, createReport())
  if (project !== undefined)
    return { project: project.name, environments: project.environments.map(({ name }) => name) }
  const beside = dirname(keyFile)
  for (const folder of [beside, join(beside, "dist"), join(cwd, "dist")]) {
    const text = await readFile(join(folder, manifestFile), "utf8").catch(() => undefined)
    const manifest = text === undefined ? undefined : parseManifest(text)
    if (manifest?.kind === "valid")
      return { project: manifest.value.project, environments: Object.keys(manifest.value.environments) }
  }
  return undefined
}
