import { createHoldings, formatPlace } from "./holdings.ts"
import type { ServedConfig } from "./serve.ts"

/** What a proxy would serve, and what is wrong with it, each in one sentence. */
export interface Check {
  readonly served: readonly string[]
  readonly findings: readonly string[]
}

/** Loads everything as a proxy would at its start. Never throws: what keeps a proxy from starting is a finding, too. */
export async function checkServed(config: ServedConfig): Promise<Check> {
  try {
    const holdings = await createHoldings(config)
    const { projects } = holdings.generation
    return {
      served: [
        ...projects.flatMap(({ name, environments }) =>
          [...environments].map(
            ([environment, { snapshot, revision }]) =>
              `${name}/${environment}: ${snapshot.size} flags of ${revision ?? "no commit"}`,
          ),
        ),
        `${holdings.keys.location}: ${holdings.keyring.size} ${holdings.keyring.size === 1 ? "key" : "keys"}`,
      ],
      findings: [
        ...holdings.projects.flatMap(({ location, status, current }) => [
          ...(status.trouble === undefined ? [] : [`${location}: ${status.trouble}`]),
          ...(current?.insteadOf === undefined
            ? []
            : [`${location}: ${current.insteadOf.message}; the cache has an older set`]),
          ...[...(current?.faults ?? [])].map(
            ([environment, { message }]) => `${location}: ${environment}: ${message}`,
          ),
        ]),
        ...holdings
          .missing()
          .map(
            (place) =>
              `no snapshot for ${formatPlace(place)}, which a key names${fixOf(place.project, projects.length)}`,
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
