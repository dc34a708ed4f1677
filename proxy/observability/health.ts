import type { ProxyState } from "../proxy-state.ts"
import type { SharedStore } from "../rate-limit/shared-store.ts"
import type { Clock, Reloader } from "../reload/reloader.ts"
import { formatRef } from "../snapshots/generation.ts"
import type { LoadedProject } from "../snapshots/loaded-project.ts"

export interface HealthParts {
  readonly state: ProxyState
  /** `undefined`: the proxy has its own buckets. */
  readonly shared: SharedStore | undefined
  readonly isReady: () => boolean
  readonly clock: Clock
  /** This package's version; `undefined`: unknown. */
  readonly version: string | undefined
}

/** What an operator wants to see at a glance: names, times and reasons, but no secrets or digests. */
export function formatHealth({ state, shared, isReady, clock, version }: HealthParts): string {
  const timeOf = (moment: number) => formatTime(clock.now() - clock.monotonicNow() + moment)
  const { keyring, keys, projects } = state
  const { missing, unknown } = state.unserved()
  const health = {
    version: version ?? null,
    ready: isReady(),
    missing: missing.map(formatRef),
    unknown: unknown.map(formatRef),
    projects: projects.flatMap((project) => describeProject(project, timeOf)),
    keys: keyring.size,
    keysPublishedAt: keyring.publishedAt === undefined ? null : formatTime(keyring.publishedAt),
    rateLimitStore:
      shared === undefined ? null : { location: shared.address, trouble: shared.fault() ?? null },
    sources: [keys, ...projects].map((source) => ({
      location: source.location,
      goodAt: source.goodAt === undefined ? null : timeOf(source.goodAt),
      trouble: source.fault?.message ?? null,
      ...(source.cacheFault !== undefined && { cache: { trouble: source.cacheFault } }),
      replaced: source.replaced,
      refused: source.refused,
    })),
  }
  return `${JSON.stringify(health, null, 2)}\n`
}

/** Empty while nothing from the source is served. */
function describeProject(
  { current, replaced, fault }: Reloader<LoadedProject>,
  timeOf: (moment: number) => string,
) {
  if (current === undefined) return []
  const { name, environments, faults } = current
  return {
    project: name,
    insteadOf: replaced === 0 ? (fault?.message ?? null) : null,
    environments: Object.fromEntries(
      [...environments].map(([environment, { snapshot, revision, loadedAt }]) => [
        environment,
        {
          revision,
          loadedAt: timeOf(loadedAt),
          flags: snapshot.size,
          sha256: snapshot.sha256,
          fault: faults.get(environment)?.message ?? null,
        },
      ]),
    ),
    faults: Object.fromEntries([...faults].map(([environment, { message }]) => [environment, message])),
  }
}

function formatTime(moment: number): string {
  return new Date(moment).toISOString()
}
