import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { join } from "node:path"
import { packagePath, readPackageFile } from "../package-files.ts"

/**
 * A digest of Flagstone's code, its parsers and its expression engine. Cache entries that different code has written count
 * as absent, without a version number that someone could forget to raise.
 */
export function digestOfCode(): string {
  digest ??= hash("sha256", [...ownCode(), ...packages()].join("\0"))
  return digest
}

/** Computed once, since a process runs the same code to its end. */
let digest: string | undefined

/** The package contains a digest of its code. In the repository, where nothing is built, the code is read. */
function ownCode(): readonly string[] {
  if (!import.meta.url.endsWith(".ts")) return [readPackageFile("build/bin/code-digest.txt")]
  return ["cli", "proxy/contract", "sdk/contract", "sdk/evaluation"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[tj]s$/.test(name))
      .sort()
      .map((name) => readPackageFile(join(folder, name))),
  )
}

/** The package.json files of the parsers, which contain their versions. */
function packages(): readonly string[] {
  return ["js-yaml", "yaml", "ajv", "re2js"].flatMap((name) => {
    const path = findPackageJSON(name, import.meta.url)
    return path === undefined ? [] : readFileSync(path, "utf8")
  })
}
