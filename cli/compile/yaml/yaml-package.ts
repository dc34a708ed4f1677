import { createRequire } from "node:module"

/** The yaml package, loaded at the first file that is not plain: that costs as much as to read a thousand plain ones. */
export function yamlPackage(): typeof import("yaml") {
  loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml")
  return loaded
}

let loaded: typeof import("yaml") | undefined
