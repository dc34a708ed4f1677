import type { Logger } from "pino"
import type { Bucket } from "./contract/key-record.ts"
import type { KeySource } from "./keys/key-source.ts"
import { createKeyring, type Keyring } from "./keys/keyring.ts"
import { prepareSnapshot } from "./prepare/prepare.ts"
import { createReloadable, type Reload } from "./reload/reloadable.ts"
import { createWatched, type Watched } from "./reload/watched.ts"
import { createGeneration, type Generation, type Place } from "./snapshots/generation.ts"
import { type ServedProject, serveProject, servesSame } from "./snapshots/served-project.ts"
import type { SnapshotSet, SnapshotSource } from "./snapshots/snapshot-source.ts"

/** What the proxy holds in memory: a generation and a keyring, each replaced by one assignment and on its own. */
export interface Holdings {
  readonly generation: Generation
  readonly keyring: Keyring
  /** One for each source of snapshots. Each is watched on its own: a slow origin must not delay a revoked key. */
  readonly projects: readonly Watched<ServedProject>[]
  readonly keys: Watched<Keyring>
  /** What usable keys read and the generation does not have. */
  missing(): readonly Place[]
  /** Loads everything again even if it seems unchanged. Logs; never rejects. */
  reload(): Promise<Reloads>
}

/** What a look at each source led to. */
export interface Reloads {
  readonly snapshots: readonly Reload[]
  readonly keys: Reload
}

export interface HoldingsConfig {
  /** At least one, each of another project. */
  readonly snapshots: readonly SnapshotSource[]
  readonly keys: KeySource
  readonly defaultBucket: Bucket
  readonly now: () => number
  readonly logger: Logger
  readonly onReplaced?: (size: number) => void
}

/**
 * Loads for the first time. Throws an error that says what to fix where there is no key at all, or no source with a
 * good set; where there is one, the others may come later.
 */
export async function createHoldings(config: HoldingsConfig): Promise<Holdings> {
  const { defaultBucket, now, logger } = config
  const areSeveral = config.snapshots.length > 1
  let generation = createGeneration([], areSeveral)

  function watchProject(source: SnapshotSource): Watched<ServedProject> {
    let logged: ServedProject | undefined
    const load = async (set: SnapshotSet, previous: ServedProject | undefined): Promise<ServedProject> => {
      const served = await serveProject(set, previous, prepareSnapshot, now())
      const twin = projects.find(
        ({ current, location }) => location !== source.location && current?.name === served.name,
      )
      if (twin !== undefined)
        throw new Error(
          `project ${served.name} comes from ${twin.location} already; name each --snapshots once`,
        )
      return served
    }
    const swapped = async (set: SnapshotSet, isNew: boolean): Promise<void> => {
      generation = createGeneration(
        projects.flatMap(({ current }) => current ?? []),
        areSeveral,
      )
      const served = watched.current
      if (served !== undefined) logFaults(source.location, served, logged, logger)
      logged = served
      logMissing()
      await source.applied?.(set, served?.faults ?? set.faults)
      if (isNew) config.onReplaced?.(sizeOf(set))
    }
    const refused = (error: Error): void => source.refused?.(error)
    const reloadable = createReloadable(source, { load, swapped, refused, isSame: servesSame })
    const watched = createWatched("snapshots", reloadable, { logger, now })
    return watched
  }

  const projects: readonly Watched<ServedProject>[] = config.snapshots.map(watchProject)
  const keys: Watched<Keyring> = createWatched(
    "keys",
    createReloadable(config.keys, {
      load: async (records) => createKeyring(records, defaultBucket),
      swapped: async () => logMissing(),
    }),
    { logger, now },
  )

  function missing(): readonly Place[] {
    return keys.current?.missing((place) => generation.find(place) !== undefined, now()) ?? []
  }

  let warned = ""
  let reloading = 0
  function logMissing(): void {
    if (reloading > 0) return // a new key is often there before its environment
    const places = missing().map(formatPlace)
    const warning = places.join(" ")
    if (warning !== "" && warning !== warned && generation.projects.length > 0)
      logger.warn({ environments: places }, "no snapshot for an environment that a key names")
    warned = warning
  }

  const outcomes: Reload[] = []
  for (const project of projects) outcomes.push(await project.reload(true)) // in order: of two twins the first stays
  const [refused] = outcomes.filter((outcome) => outcome.kind === "refused")
  if (refused !== undefined && generation.projects.length === 0) throw refused.error
  for (const { location, status } of projects)
    if (status.trouble !== undefined)
      logger.error({ location, reason: status.trouble }, "no snapshots from here yet; the others are served")
  const read = await keys.reload(true)
  if (read.kind === "refused") throw read.error
  const keyring = keys.current
  if (keyring === undefined) throw new Error(`${keys.location} is being written; start again`)
  // At a reload no key is an answer too: the last one was taken away, and the door is closed.
  if (keyring.size === 0)
    throw new Error(`no key in ${keys.location}: make one with \`flagstone keys create <environment>\``)

  return {
    get generation() {
      return generation
    },
    get keyring() {
      return keys.current ?? keyring
    },
    projects,
    keys,
    missing,
    async reload() {
      reloading++
      const read = keys.reload(true) // a key that was revoked waits for nobody
      const snapshots = await Promise.all(projects.map((project) => project.reload(true)))
      const reloads = { snapshots, keys: await read }
      reloading--
      logMissing()
      return reloads
    },
  }
}

/** Bytes. */
function sizeOf({ documents }: SnapshotSet): number {
  return [...documents.values()].reduce((sum, { length }) => sum + length, 0)
}

/** A place as people write it. */
export function formatPlace({ project, environment }: Place): string {
  return project === undefined ? environment : `${project}/${environment}`
}

/** What was not wrong before, or was wrong in another way. */
function logFaults(
  location: string,
  served: ServedProject,
  before: ServedProject | undefined,
  logger: Logger,
): void {
  for (const [environment, { message: reason }] of served.faults)
    if (before?.faults.get(environment)?.message !== reason)
      logger.error({ location, environment, reason }, "snapshot refused; the last good one stays")
  if (served.insteadOf !== undefined && served.insteadOf.message !== before?.insteadOf?.message)
    logger.warn({ location, reason: served.insteadOf.message }, "snapshots taken from the cache")
}
