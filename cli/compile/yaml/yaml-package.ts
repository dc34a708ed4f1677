import { createRequire } from "node:module"

/** The yaml package, loaded for the first error of syntax: loading it takes as long as reading a hundred files. */
export function yamlPackage(): typeof import("yaml") {
  loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml")
  return loaded
}

let loaded: typeof import("yaml") | undefined
