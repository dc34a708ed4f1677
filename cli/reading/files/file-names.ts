import { sep } from "node:path"

// Separate from the readers of these files, so that code that only looks for them need not load the readers.

/** The project file's name, at the top of the flags folder. */
export const projectFileName = "project.yaml"

/** A name that the project file is often given. */
export const misnamedProjectFile = "project.yml"

/** The segment files' JSON Schema for editors, if the project keeps one. */
export const segmentSchemaFileName = "segment.schema.json"

/** The invariants files' JSON Schema for editors, if the project keeps one. */
export const invariantsSchemaFileName = "invariants.schema.json"

/** The flag files' JSON Schema for editors, if the project keeps one: `flagstone schema` prints it. */
export const schemaFileName = "flag.schema.json"

/** The project file's JSON Schema for editors, if the project keeps one. */
export const projectSchemaFileName = "project.schema.json"

/** The spec files' JSON Schema for editors, if the project keeps one. */
export const specSchemaFileName = "spec.schema.json"

/** The names of the JSON Schemas for editors, which are at the top of the flags folder. */
export const editorSchemaFileNames = [
  schemaFileName,
  segmentSchemaFileName,
  invariantsSchemaFileName,
  projectSchemaFileName,
  specSchemaFileName,
] as const

/** The flag key that a file's name gives. */
export function keyOfFile(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(sep)) + 1)
  return name.endsWith(".yaml") ? name.slice(0, -5) : name.endsWith(".yml") ? name.slice(0, -4) : name
}

/** Whether a path below the flags folder names a file with a list for conditions. */
export function isListPath(path: string): boolean {
  return path.endsWith(".txt")
}

/** Whether a path below the flags folder names a file with a schema of JSON values. */
export function isSchemaPath(path: string): boolean {
  const names: readonly string[] = editorSchemaFileNames
  return path.endsWith(".json") && !names.includes(path.slice(path.search(/[^/\\]*$/)))
}

/** Whether a path below the flags folder names a file that flag files and segment files can name. */
export function isDataPath(path: string): boolean {
  return isListPath(path) || isSchemaPath(path)
}

/** Whether a path below the flags folder names a segment file. */
export function isSegmentPath(path: string): boolean {
  return segmentPattern.test(path)
}

/** The segment's name that a file's name gives. */
export function segmentNameOf(path: string): string {
  return path.slice(path.search(/[^/\\]*$/)).replace(segmentPattern, "")
}

/** Whether a path below the flags folder names an invariants file. Each folder there can have one. */
export function isInvariantsPath(path: string): boolean {
  return /(?:^|[/\\])invariants\.ya?ml$/.test(path)
}

/** Whether a source below the flags folder is a flag's: not that of segments, of invariants or of what these can name. */
export function isFlagSource(path: string): boolean {
  return !isSegmentPath(path) && !isInvariantsPath(path) && !isDataPath(path)
}

const segmentPattern = /\.segment\.ya?ml$/

/** Whether a path below the flags folder is a spec file, which `flagstone test` runs. */
export function isSpecPath(path: string): boolean {
  return /\.spec\.ya?ml$/.test(path)
}
