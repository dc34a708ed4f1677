import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"

/** A digest of the code that makes sentences and pages, and of `salt`: what was remembered by other code counts as absent. */
export function digestOfCode(salt: string): string {
  code ??= readCode()
  return hash("sha256", [code, salt].join("\0"))
}

/** Read once: a process runs the same code to its end. */
let code: string | undefined

function readCode(): string {
  const top = dirname(findPackageJSON(import.meta.url) ?? "")
  const root = import.meta.url.endsWith(".ts") ? top : join(top, "build") // the published package is JavaScript
  const texts = [
    "cli/catalog",
    "cli/conditions",
    "cli/diff",
    "cli/evaluate",
    "cli/phrases",
    "cli/specs",
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name))
      .sort()
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  return hash("sha256", texts.join("\0"))
}
