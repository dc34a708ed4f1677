import { existsSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { Failure } from "../failure.ts"
import { locateFlags } from "../project/locate-flags.ts"
import { projectFileName } from "../reading/files/file-names.ts"

/**
 * Throws `Failure` if a project in `folder` would be a second one, or if its project file exists with the wrong name. A
 * project inside another project's folders is allowed if its flags folder is named.
 */
export function refuseSecondProject(folder: string, cwd: string, isNamed: boolean): void {
  const refuse = (path: string, why: string) => {
    throw new Failure(`${relative(cwd, path)} already exists${why}: nothing was changed`)
  }
  const misnamed = join(folder, "project.yml")
  if (existsSync(misnamed)) refuse(misnamed, ` (rename it to ${projectFileName})`)
  const found = locateFlags(dirname(folder))
  if (found === undefined) return
  if (folder.startsWith(`${found}${sep}`))
    refuse(join(found, projectFileName), ", and this folder is inside its flags folder")
  if (!isNamed)
    refuse(
      join(found, projectFileName),
      ", and this folder belongs to its project (for a separate project here, add --flags ./flags)",
    )
}
