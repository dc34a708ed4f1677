import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { projectFileName } from "../compile/read/file-names.ts"
import { Failure } from "../failure.ts"

/** Throws `Failure` if a project in `folder` would be a second one, or if there is one whose project file has another name. */
export function refuseSecondProject(folder: string, cwd: string): void {
  const refuse = (path: string, why: string) => {
    throw new Failure(`${relative(cwd, path)} is there already${why}: nothing was changed`)
  }
  const misnamed = join(folder, "project.yml")
  if (existsSync(misnamed)) refuse(misnamed, ` (rename it to ${projectFileName})`)
  for (let above = dirname(folder); ; above = dirname(above)) {
    const path = join(above, projectFileName)
    if (isProjectFile(path)) refuse(path, ", and this folder belongs to its flags")
    if (existsSync(join(above, ".git")) || above === dirname(above)) return
  }
}

/** Other tools have files of that name. */
function isProjectFile(path: string): boolean {
  if (!existsSync(path)) return false
  const text = readFileSync(path, "utf8")
  return /^project:/m.test(text) && /^environments:/m.test(text)
}
