import { basename } from "node:path"
import { isSpecPath } from "./file-names.ts"

/**
 * Files for readers and code hosts, files that editors, git and operating systems leave behind, and our own
 * half-written ones.
 */
const patterns = [
  /^readme(\.(md|txt|rst|adoc))?$/i,
  /^(CODE)?OWNERS$/,
  /^\.(gitkeep|gitignore|gitattributes|editorconfig|DS_Store)$/,
  /^(Thumbs\.db|desktop\.ini)$/i,
  /^\._/, // macOS's metadata on file systems that cannot store it
  /~$|^#.*#$|^\.#|\.(bak|orig)$|^\..*\.sw[a-p]$/,
  /^\..*\.new$/,
]

/** Whether a file below the flags folder is silently ignored. */
export function isIgnored(path: string): boolean {
  return isSpecPath(path) || isLeftover(path)
}

/** Whether a file is one that users or programs leave among the project's files. */
export function isLeftover(path: string): boolean {
  const name = basename(path)
  return patterns.some((pattern) => pattern.test(name))
}
