/** The part of a project that ids are made of. */
interface NamedProject {
  readonly name: string
}

/** The id of a flag that sets none. Random-looking ids would be 40 % of the compressed document. */
export function flagId(key: string, project: NamedProject): string {
  return `${project.name}/${key}`
}

/** The id of a configuration that sets none. */
export function configurationId(key: string, environment: string, project: NamedProject): string {
  return `${flagId(key, project)}@${environment}`
}
