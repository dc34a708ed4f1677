import { readPackageFile } from "./package-files.ts"

/** The package's version and, after `+`, the commit that it was built from, if its build knew that. */
export function readVersion(): string {
  if (!import.meta.url.endsWith(".ts")) return readPackageFile("build/bin/version.txt")
  return JSON.parse(readPackageFile("package.json")).version
}
