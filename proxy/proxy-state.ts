import { isDeepStrictEqual } from "node:util"
import type { Logger } from "pino"
import type { Bucket } from "./contract/bucket.ts"
import type { KeySet } from "./keys/key-set.ts"
import type { KeySource } from "./keys/key-source.ts"
import { createKeyring, describeKeyChanges, type Keyring } from "./keys/keyring.ts"
import { prepareSnapshot } from "./prepare/prepare.ts"
import type { PrepareSnapshot } from "./prepare/prepared-snapshot.ts"
import { mostNames } from "./reload/count-differences.ts"
import { broken, good } from "./reload/fault.ts"
import { createReloader, type ReloadClock, type Reloader } from "./reload/reloader.ts"
import { describeChanges } from "./snapshots/describe-changes.ts"
import { createGeneration, formatRef, type Generation, type SnapshotRef } from "./snapshots/generation.ts"
import { isSameProject, type LoadedProject, loadProject } from "./snapshots/loaded-project.ts"
import type { SnapshotSet } from "./snapshots/snapshot-set.ts"
import type { SnapshotSource } from "./snapshots/snapshot-source.ts"

/** What the proxy holds in memory: a generation and a keyring, each replaced independently by one assignment. */
export interface ProxyState {
  readonly generation: Generation
  readonly keyring: Keyring
  /** One for each source of snapshots. Each reloads independently: a slow origin must not delay a revoked key. */
  readonly projects: readonly Reloader<LoadedProject>[]
  readonly keys: Reloader<Keyring>
  unserved(): Unserved
  /**
   * Whether everything was present at some point. A key or a manifest that comes later does not take the
   * proxy out of service.
   */
  wasWhole(): boolean
  /** Calls `listener` after each replacement of the generation or the keyring. */
  whenReplaced(listener: () => void): void
  /** Reloads everything, even if it seems unchanged. Logs; never rejects. */
  reload(): Promise<void>
}

/** Snapshots that usable keys read but the generation does not have. */
export interface Unserved {
  /** A manifest names them, or one that has not been read yet may. */
  readonly missing: readonly SnapshotRef[]
  /** No manifest names them: a mistake in the key file, or a removed environment. */
  readonly unknown: readonly SnapshotRef[]
}

/** What a proxy serves from. */
export interface ServedConfig {
  /** At least one, each of a different project. */
  readonly snapshots: readonly SnapshotSource[]
  readonly keys: KeySource
  /** For keys without their own bucket. */
  readonly defaultBucket: Bucket
  /**
   * The bucket for evaluations, one per key and client address, for keys without their own; every snapshot is then
   * prepared for evaluation. `undefined`: only documents are served.
   */
  readonly evaluateBucket?: Bucket | undefined
  readonly clock: ReloadClock
  readonly logger: Logger
}

/**
 * Loads for the first time. Throws an error that says what to fix if there is no key at all, or no source with a good
 * set; if there is one, the others may come later.
 */
export async function createProxyState(config: ServedConfig): Promise<ProxyState> {
  const { clock } = config
  const areSeveral = config.snapshots.length > 1
  const prepare = config.evaluateBucket
    ? (await import("./prepare/prepare-evaluated.ts")).createEvaluatedPreparation(clock.monotonicNow)
    : prepareSnapshot
  let generation = createGeneration([], areSeveral)
  let wasWhole = false
  let reloading = 1 // the first
  let onReplaced = (): void => {}

  const onLoaded = (): void => {
    if (reloading === 0) unserved.log() // a new key often comes before its environment
    onReplaced()
  }
  const reloaded = (): void => {
    reloading--
    if (reloading === 0) unserved.log()
  }
  const firstLoads: Promise<unknown>[] = []
  const projects = createProjects(config, prepare, firstLoads, () => {
    const loaded = projects.flatMap(({ current }) => current ?? [])
    generation = createGeneration(loaded, areSeveral)
    onLoaded()
  })
  const keys = createKeys(config, onLoaded)
  const unserved = watchUnserved(config, keys, () => generation)
  const keyring = await loadFirst(projects, keys, firstLoads, config.logger)
  reloaded()

  return {
    get generation() {
      return generation
    },
    get keyring() {
      return keys.current ?? keyring
    },
    projects,
    keys,
    unserved: unserved.find,
    whenReplaced(listener) {
      onReplaced = listener
    },
    wasWhole() {
      wasWhole ||= unserved.find().missing.length === 0
      return wasWhole
    },
    async reload() {
      reloading++
      // In parallel: a revoked key must not wait for snapshots.
      await Promise.all([keys, ...projects].map((reloader) => reloader.reload(true)))
      reloaded()
    },
  }
}

/**
 * A reloader for each source, whose project no other source has. `firstLoads` has the first of each, in this order: of
 * two sources with the same project the first stays, whichever answers first.
 */
function createProjects(
  { snapshots, clock, logger }: ServedConfig,
  prepare: PrepareSnapshot,
  firstLoads: readonly Promise<unknown>[],
  onLoaded: () => void,
): readonly Reloader<LoadedProject>[] {
  const projects = snapshots.map((source, index): Reloader<LoadedProject> => {
    const { location } = source
    return createReloader<SnapshotSet, LoadedProject>({
      what: "snapshots",
      source,
      async load(set, previous, signal) {
        await Promise.all(firstLoads.slice(0, index))
        const name = set.manifest.project
        const twin = projects.find((other, at) => at !== index && other.current?.name === name)
        if (twin === undefined) return loadProject(set, previous, prepare, clock.monotonicNow(), signal)
        return broken(`project ${name} already comes from ${twin.location}; name each --snapshots once`)
      },
      faultsOf: ({ faults }) => [...faults.values()],
      isSame: isSameProject,
      describe: describeChanges,
      onLoaded(project, before) {
        for (const [environment, { message: reason }] of project.faults)
          if (before?.faults.get(environment)?.message !== reason)
            logger.error({ location, environment, reason }, "snapshot refused; the last good one stays")
        for (const environment of before?.faults.keys() ?? [])
          if (project.environments.has(environment) && !project.faults.has(environment))
            logger.info({ location, environment }, "snapshot can be read again")
        onLoaded()
      },
      clock,
      logger,
    })
  })
  return projects
}

function createKeys(
  { keys, defaultBucket, clock, logger }: ServedConfig,
  onLoaded: () => void,
): Reloader<Keyring> {
  return createReloader<KeySet, Keyring>({
    what: "keys",
    source: keys,
    needsTwoLooks: true,
    load: async (set) => good(createKeyring(set.keys, defaultBucket, set.publishedAt)),
    isSame: (before, after) => isDeepStrictEqual(before.records, after.records),
    onLoaded,
    describe: describeKeyChanges,
    clock,
    logger,
  })
}

/** What is not served: `find` says what, `log` warns of it once. */
function watchUnserved(
  { snapshots, clock, logger }: ServedConfig,
  keys: Reloader<Keyring>,
  generation: () => Generation,
): { readonly find: () => Unserved; readonly log: () => void } {
  let warned = ""

  function find(): Unserved {
    const refs = keys.current?.missing((ref) => generation().find(ref) !== undefined, clock.now()) ?? []
    const missing = refs.filter(mayBeNamed)
    return { missing, unknown: refs.filter((ref) => !missing.includes(ref)) }
  }

  function mayBeNamed({ project, environment }: SnapshotRef): boolean {
    if (project === undefined && snapshots.length > 1) return false
    const { projects } = generation()
    const loaded = projects.find(({ name }) => project === undefined || name === project)
    if (loaded === undefined) return projects.length < snapshots.length
    return loaded.environments.has(environment) || loaded.faults.has(environment)
  }

  function log(): void {
    if (generation().projects.length === 0) return
    const { missing, unknown } = find()
    const warning = JSON.stringify([missing, unknown])
    if (warning === warned) return
    warned = warning
    const isNameless = ({ project }: SnapshotRef) => project === undefined && snapshots.length > 1
    warn(missing, "no snapshot for an environment that a key names")
    warn(unknown.filter(isNameless), "with several projects a key must name its `project`")
    warn(
      unknown.filter((ref) => !isNameless(ref)),
      "a key names an environment that no manifest has",
    )
  }

  function warn(refs: readonly SnapshotRef[], message: string): void {
    if (refs.length === 0) return
    const names = refs.map(formatRef)
    const keysOf = keys.current?.usable(clock.now()) ?? []
    const ids = keysOf.filter((key) => names.includes(formatRef(key))).map(({ id }) => id)
    logger.warn({ environments: names, keys: ids.slice(0, mostNames) }, message)
  }

  return { find, log }
}

/** Asks all sources at once. Throws an error that says what to fix if there is no key, or no source with a good set. */
async function loadFirst(
  projects: readonly Reloader<LoadedProject>[],
  keys: Reloader<Keyring>,
  firstLoads: Promise<unknown>[],
  logger: Logger,
): Promise<Keyring> {
  for (const project of projects) firstLoads.push(project.reload(true))
  await Promise.all([...firstLoads, keys.reload(true)])
  const lost = projects.filter(({ current }) => current === undefined)
  const keyring = keys.current
  if (lost.length === projects.length || keyring === undefined)
    throw new Error([...lost, ...(keyring === undefined ? [keys] : [])].map(describeFault).join("\n"))
  for (const { location, fault } of lost)
    logger.error(
      { location, reason: fault?.message },
      "no snapshots from this source yet; the others are served",
    )
  // Only at the start: later, a file without keys means that the last key was removed, so no one is admitted.
  if (keyring.size === 0)
    throw new Error(`no key in ${keys.location}: create one with \`flagstone keys create <environment>\``)
  return keyring
}

/** What is wrong with a source, with its location. */
export function describeFault({ location, fault }: Pick<Reloader<unknown>, "location" | "fault">): string {
  const message = fault?.message ?? ""
  return message.includes(location) ? message : `${location}: ${message}`
}
