// Apart from what reads these files, so that those who only look for them need not load it.

/** The project file's name, at the top of the flags folder. */
export const projectFileName = "project.yaml"

/** A name that the project file is often given. */
export const misnamedProjectFile = "project.yml"

/** The flag files' JSON Schema for editors, where the project keeps one: `flagstone schema` prints it. */
export const schemaFileName = "flag.schema.json"

/** Whether a path below the flags folder is a spec file, which `flagstone test` reads and no build. */
export function isSpecPath(path: string): boolean {
  return /\.spec\.ya?ml$/.test(path)
}
