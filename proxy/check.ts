import { createProxyState, type ServedConfig } from "./proxy-state.ts"
import { formatRef } from "./snapshots/generation.ts"

/** What a proxy would serve, and what is wrong with it, each in one sentence. */
export interface Check {
  readonly served: readonly string[]
  readonly findings: readonly string[]
}

/** Loads everything as a proxy would at its start. Never throws: what keeps a proxy from starting is a finding, too. */
export async function checkServed(config: ServedConfig): Promise<Check> {
  try {
    const state = await createProxyState(config)
    const { projects } = state.generation
    const { missing, unknown } = state.unserved()
    return {
      served: [
        ...projects.flatMap(({ name, environments }) =>
          [...environments].map(
            ([environment, { snapshot, revision }]) =>
              `${name}/${environment}: ${snapshot.size} flags of ${revision ?? "no commit"}`,
          ),
        ),
        `${state.keys.location}: ${state.keyring.size} ${state.keyring.size === 1 ? "key" : "keys"}`,
      ],
      findings: [
        ...state.projects.flatMap(({ location, fault, current }) => [
          ...(fault === undefined
            ? []
            : [`${location}: ${fault.message}${current ? "; the cache has an older set" : ""}`]),
          ...[...(current?.faults ?? [])].map(
            ([environment, { message }]) => `${location}: ${environment}: ${message}`,
          ),
        ]),
        ...[...missing, ...unknown].map(
          (ref) =>
            `no snapshot for ${formatRef(ref)}, which a key names${fixOf(ref.project, projects.length)}`,
        ),
      ],
    }
  } catch (error) {
    return { served: [], findings: [(error as Error).message] }
  }
}

function fixOf(project: string | undefined, projects: number): string {
  return project === undefined && projects > 1 ? "; with several projects a key must name its `project`" : ""
}
