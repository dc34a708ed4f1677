import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** The nearest folder with `.git`, from a folder upwards: the top of its work tree. `undefined` outside git. */
export function topOfRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder
  return folder === dirname(folder) ? undefined : topOfRepository(dirname(folder))
}
