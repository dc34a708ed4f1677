import { existsSync, statSync } from "node:fs"

/** Whether there is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
