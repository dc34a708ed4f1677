import type { Project } from "../reading/project.ts"

/** The id of a flag that sets none. Random-looking ids would be 40 % of the compressed document. */
export function flagId(key: string, project: Project): string {
  return `${project.name}/${key}`
}

/** The id of a configuration that sets none. */
export function configurationId(key: string, environment: string, project: Project): string {
  return `${flagId(key, project)}@${environment}`
}
