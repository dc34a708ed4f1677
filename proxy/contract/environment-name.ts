/** An environment's name is also its snapshot's file name. */
export const environmentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `manifest.json` is in the same folder as the snapshots, so no environment may have its name. */
const reservedEnvironmentName = "manifest"

/** Whether a project can have this name. */
export function isProjectName(text: string): boolean {
  return environmentNamePattern.test(text)
}

/** Whether an environment can have this name. */
export function isEnvironmentName(text: string): boolean {
  return environmentNamePattern.test(text) && text.toLowerCase() !== reservedEnvironmentName
}
