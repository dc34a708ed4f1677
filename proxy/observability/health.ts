import type { ProxyState } from "../proxy-state.ts"
import { formatRef } from "../snapshots/generation.ts"

/** What an operator wants to see at a glance: names, times and reasons; no secret and no digest. */
export function formatHealth(state: ProxyState, isReady: boolean): string {
  const { generation, keyring, keys, projects } = state
  const health = {
    ready: isReady,
    missing: state.missing().map(formatRef),
    unknown: state.unknown().map(formatRef),
    projects: generation.projects.map(({ name, environments, faults, fallback }) => ({
      project: name,
      insteadOf: fallback?.message ?? null,
      environments: Object.fromEntries(
        [...environments].map(([environment, { snapshot, revision, loadedAt }]) => [
          environment,
          {
            revision,
            loadedAt: formatTime(loadedAt),
            flags: snapshot.size,
            sha256: snapshot.sha256,
            fault: faults.get(environment)?.message ?? null,
          },
        ]),
      ),
      faults: Object.fromEntries([...faults].map(([environment, { message }]) => [environment, message])),
    })),
    keys: keyring.size,
    sources: [keys, ...projects].map(({ location, status }) => ({
      location,
      goodAt: formatTime(status.goodAt),
      trouble: status.fault?.message ?? null,
      replaced: status.replaced,
      refused: status.refused,
    })),
  }
  return `${JSON.stringify(health, null, 2)}\n`
}

function formatTime(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString()
}
