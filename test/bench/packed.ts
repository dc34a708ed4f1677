import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

/** Flagstone as it is published, compiled to JavaScript in few files, in a folder below `work`: the program's path. */
export function pack(work: string): string {
  const folder = join(work, "package")
  mkdirSync(join(folder, "cli"), { recursive: true })
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--outDir", join(folder, "build")], { cwd: root })
  cpSync(join(root, "cli/flagstone.js"), join(folder, "cli/flagstone.js"))
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  cpSync(join(root, "cli/bundle.js"), join(folder, "cli/bundle.js"))
  cpSync(join(root, "cli/catalog"), join(folder, "cli/catalog"), { recursive: true })
  execFileSync(process.execPath, ["cli/bundle.js"], { cwd: folder })
  return join(folder, "cli/flagstone.js")
}
