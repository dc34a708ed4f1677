import type { Logger } from "pino"
import type { Bucket } from "./contract/key-file.ts"
import type { KeySource } from "./keys/key-source.ts"
import { createKeyring, type Keyring } from "./keys/keyring.ts"
import { createReloadable, type Reload } from "./reloadable.ts"
import { type Generation, loadGeneration } from "./snapshots/generation.ts"
import type { SnapshotSource } from "./snapshots/snapshot-source.ts"

/** What the proxy holds in memory: a generation and a keyring, each replaced by one assignment and on its own. */
export interface Holdings {
  readonly generation: Generation
  readonly keyring: Keyring
  /** The environments that usable keys name and the generation does not have. */
  missing(): readonly string[]
  /** Looks at both sources, and with `force` loads both even if they seem unchanged. Logs; never rejects. */
  reload(force: boolean): Promise<Reloads>
}

/** What a look at each source led to. */
export interface Reloads {
  readonly snapshots: Reload
  readonly keys: Reload
}

export interface HoldingsConfig {
  readonly snapshots: SnapshotSource
  readonly keys: KeySource
  readonly defaultBucket: Bucket
  readonly now: () => number
  readonly logger: Logger
}

/** Loads for the first time. Throws an error that says what to mend where there is no good set or no key at all. */
export async function createHoldings(config: HoldingsConfig): Promise<Holdings> {
  const { snapshots, keys, defaultBucket, now, logger } = config
  const generation = await createReloadable<Generation>(snapshots, (previous) =>
    loadGeneration(snapshots, previous),
  )
  const keyring = await createReloadable<Keyring>(keys, async () =>
    createKeyring(await keys.read(), defaultBucket),
  )
  // At a reload no key is an answer too: the last one was taken away, and the door is closed.
  if (keyring.current.size === 0)
    throw new Error(`no key in ${keys.location}: make one with \`flagstone keys create <environment>\``)

  function missing(): readonly string[] {
    const named = [...keyring.current.environments(now())]
    return named.filter((environment) => !generation.current.snapshots.has(environment))
  }

  function logMissing(): void {
    const environments = missing()
    if (environments.length > 0)
      logger.warn({ environments }, "no snapshot for an environment that a key names")
  }

  function log(what: string, location: string, outcome: Reload): void {
    if (outcome.kind === "unchanged") return
    if (outcome.kind === "replaced") logger.info({ location }, `${what} reloaded`)
    else logger.error({ location, reason: outcome.error.message }, `${what} refused; the last good ones stay`)
  }

  logMissing()
  return {
    get generation() {
      return generation.current
    },
    get keyring() {
      return keyring.current
    },
    missing,
    async reload(force) {
      const outcome = { snapshots: await generation.reload(force), keys: await keyring.reload(force) }
      log("snapshots", snapshots.location, outcome.snapshots)
      log("keys", keys.location, outcome.keys)
      if (outcome.snapshots.kind === "replaced" || outcome.keys.kind === "replaced") logMissing()
      return outcome
    },
  }
}
