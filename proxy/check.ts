import { flagMatcher } from "./contract/flag-globs.ts"
import type { KeyRecord } from "./contract/key-record.ts"
import { createProxyState, describeFault, type ServedConfig } from "./proxy-state.ts"
import type { StoreAddress } from "./rate-limit/store-address.ts"
import { formatRef, type Generation, unusedClock } from "./snapshots/generation.ts"

/** What a proxy would serve, and what is wrong with it; each entry is one sentence. */
export interface ProxyCheck {
  readonly served: readonly string[]
  readonly findings: readonly string[]
  /** Probable mistakes that do not keep any client from being served. */
  readonly warnings: readonly string[]
}

export interface CheckedConfig extends ServedConfig {
  readonly clockAttribute?: string | undefined
  /** `undefined`: the proxy has its own buckets. */
  readonly rateLimitStore?: StoreAddress | undefined
}

/**
 * Loads everything as a proxy would when it starts. Never throws: anything that keeps a proxy from starting is a finding.
 */
export async function checkServed(config: CheckedConfig): Promise<ProxyCheck> {
  try {
    const state = await createProxyState(config)
    const { projects } = state.generation
    const { missing, unknown } = state.unserved()
    const storeFault = await findStoreFault(config)
    return {
      served: [
        ...projects.flatMap(({ name, environments }) =>
          [...environments].map(
            ([environment, { snapshot, revision }]) =>
              `${name}/${environment}: ${snapshot.size} ${snapshot.size === 1 ? "flag" : "flags"} of ${revision ?? "no commit"}`,
          ),
        ),
        `${state.keys.location}: ${state.keyring.size} ${state.keyring.size === 1 ? "key" : "keys"}`,
      ],
      findings: [
        ...(storeFault === undefined ? [] : [storeFault]),
        ...[...state.projects, state.keys]
          .filter(({ fault }) => fault !== undefined)
          .map((source) => `${describeFault(source)}${source.current ? "; the cache is used instead" : ""}`),
        ...state.projects.flatMap(({ location, current }) =>
          [...(current?.faults ?? [])].map(
            ([environment, { message }]) => `${location}: ${environment}: ${message}`,
          ),
        ),
        ...[...missing, ...unknown].map(
          (ref) =>
            `no snapshot for ${formatRef(ref)}, which a key names${fixOf(ref.project, projects.length)}`,
        ),
      ],
      warnings: [
        ...state.keyring.records.flatMap((record) => idleGlobs(record, state.generation)),
        ...[unusedClock(state.generation, config.clockAttribute) ?? []].flat(),
      ],
    }
  } catch (error) {
    return { served: [], findings: [(error as Error).message], warnings: [] }
  }
}

/** Warnings about a key's globs that match no flag, if its flags are loaded. */
function idleGlobs(record: KeyRecord, generation: Generation): readonly string[] {
  const keys = generation.find(record)?.keys
  const idle = (glob: string) => keys !== undefined && !keys.some(flagMatcher([glob]))
  return (record.flags ?? [])
    .filter(idle)
    .map((glob) => `key ${record.id}: no flag in ${formatRef(record)} matches ${glob}`)
}

/** Returns what is wrong with the store: a proxy starts without it, so only a check can report it. */
async function findStoreFault({ rateLimitStore, clock, logger }: CheckedConfig): Promise<string | undefined> {
  if (rateLimitStore === undefined) return undefined
  const { openSharedStore } = await import("./rate-limit/shared-store.ts")
  const store = await openSharedStore({
    address: rateLimitStore,
    wait: longestWait,
    proxies: 1,
    clock,
    logger,
  })
  const fault = store.fault()
  store.stop()
  return fault === undefined ? undefined : `${store.address}: ${fault}; limits would not be shared`
}

/** Milliseconds: a check may wait longer than a request. */
const longestWait = 1_000

function fixOf(project: string | undefined, projects: number): string {
  return project === undefined && projects > 1 ? "; with several projects a key must name its `project`" : ""
}
