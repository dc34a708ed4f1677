import {
  type Manifest,
  type ManifestEnvironment,
  manifestFile,
  maxManifestLength,
  signatureFile,
} from "../contract/manifest.ts"
import { createBackoff } from "../reload/backoff.ts"
import type { Sighting } from "../reload/source.ts"
import { createOrigin, type OriginPatience, type Validators } from "./origin.ts"
import type { SnapshotCache } from "./snapshot-cache.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import { mayPass, type SnapshotSet, type SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

export interface UrlSourceConfig {
  /** The address of the folder that the manifest lies in; ends with a slash. */
  readonly base: URL
  /** What to send as `Authorization`; `undefined`: nothing. */
  readonly authorization: string | undefined
  /** Where the last good set is kept; `undefined`: nowhere. */
  readonly cache: SnapshotCache | undefined
  /** `undefined`: manifests need no signature. */
  readonly trust?: Trust | undefined
  /** Is told why the last good set could not be kept. */
  readonly onCacheFailure: (error: unknown) => void
  /** Milliseconds that never go back. */
  readonly monotonicNow: () => number
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
  readonly patience?: OriginPatience
}

/**
 * A published set on an HTTP server. Of what was read before, nothing is read again: the manifest only when it changed,
 * documents only when no held one has their digest. Validators advance when the set is served, so what could not be
 * taken is asked for until it can be; after failures ever more seldom, and at once when forced.
 */
export function createUrlSource(config: UrlSourceConfig): SnapshotSource {
  const { base, cache, trust, monotonicNow, random } = config
  const origin = createOrigin({ ...config, patience: config.patience ?? patience })
  let applied: SnapshotSet | undefined
  let appliedValidators: Validators | undefined
  let tried: SnapshotSet | undefined
  let triedValidators: Validators | undefined
  /** The set that is served with nothing missing. */
  let whole: SnapshotSet | undefined
  /** Whether what kept the set that was tried last from being served whole may pass. */
  let isHopeful = true
  /** Whether the last look found no set, so that the next one has to say what is wrong, or right, with it again. */
  let wasLost = false
  const asking = createBackoff(monotonicNow, random)
  const serving = createBackoff(monotonicNow, random)

  /** Documents by digest, of the sets at hand. */
  function heldDocument(sha256: string): Buffer | undefined {
    for (const set of [applied, tried])
      for (const [name, environment] of Object.entries(set?.manifest.environments ?? {}))
        if (environment.sha256 === sha256 && set?.documents.has(name)) return set.documents.get(name)
    return undefined
  }

  async function readDocument({ file, size, sha256 }: ManifestEnvironment): Promise<Buffer> {
    const held = heldDocument(sha256)
    if (held !== undefined) return held
    if (size > longestDocument) throw new Error(`${file} is longer than ${longestDocument} bytes`)
    const answer = await origin.get(file, size)
    if (answer.kind === "unchanged") throw new Error(`${file}: answered 304 though nothing was held`)
    return answer.bytes
  }

  async function readSignatures(): Promise<Buffer> {
    const answer = await origin.get(signatureFile, maxManifestLength)
    if (answer.kind === "unchanged") throw new Error(`${signatureFile}: answered 304 though nothing was held`)
    return answer.bytes
  }

  /** At the start, what is kept is what was served last: a restart must not open a way back. */
  async function lastServed(): Promise<Manifest | undefined> {
    return (applied ?? (await readKept()))?.manifest
  }

  async function readKept(): Promise<SnapshotSet | undefined> {
    return cache?.read(trust).catch(() => undefined)
  }

  /** What a manifest led to before, when it is the one that was tried last, with all its documents; else `undefined`. */
  function known(manifestBytes: Buffer, validators: Validators): Sighting<SnapshotSet> | undefined {
    if (tried?.insteadOf !== undefined || tried?.faults.size !== 0) return undefined
    if (!tried.manifestBytes.equals(manifestBytes)) return undefined
    if (tried === whole) {
      appliedValidators = validators
      return same
    }
    if (!wasLost && (!isHopeful || serving.isWaiting())) return { kind: "waiting" }
    serving.failed()
    return { kind: "found", value: tried }
  }

  async function read(force: boolean): Promise<Sighting<SnapshotSet>> {
    const answer = await origin.get(manifestFile, maxManifestLength, force ? undefined : appliedValidators)
    const isSame = answer.kind === "unchanged"
    const sighting = isSame ? same : force ? undefined : known(answer.bytes, answer.validators)
    if (isSame || sighting !== undefined) {
      asking.reset()
      return sighting ?? same
    }
    const before = isHopeful ? undefined : tried
    const proof = trust && { trust, readSignatures, served: await lastServed() }
    const set = await readSnapshotSet(answer.bytes, readDocument, proof)
    tried = set
    triedValidators = answer.validators
    if (set.faults.size === 0) asking.reset()
    else asking.failed()
    if (!force && !wasLost && set.faults.size > 0 && hasSameDocuments(set, before)) return { kind: "waiting" }
    isHopeful = true
    serving.reset()
    serving.failed() // until it is served
    return { kind: "found", value: set }
  }

  return {
    location: base.href,
    async look(force) {
      if (!force && asking.isWaiting()) return { kind: "waiting" }
      try {
        const sighting = await read(force)
        wasLost = false
        return sighting
      } catch (error) {
        asking.failed()
        wasLost = true
        const isKeptInPart = applied?.insteadOf !== undefined && isHopeful // the machine may do the rest by now
        const kept = applied === undefined ? await readKept() : isKeptInPart ? applied : undefined
        if (kept === undefined) throw error
        tried = { ...kept, insteadOf: error as Error }
        return { kind: "found", value: tried }
      }
    },
    async applied(set, faults) {
      applied = set
      const isWhole = faults.size === 0 && set.insteadOf === undefined
      whole = isWhole ? set : undefined
      isHopeful = mayPass(faults)
      appliedValidators = isWhole ? triedValidators : undefined
      // A set with faults would take the place of a whole one.
      if (isWhole) await cache?.write(set, trust).catch(config.onCacheFailure)
    },
    refused({ cause }) {
      isHopeful = cause !== undefined
    },
  }
}

function hasSameDocuments(set: SnapshotSet, before: SnapshotSet | undefined): boolean {
  return (
    before?.manifestBytes.equals(set.manifestBytes) === true && before.documents.size === set.documents.size
  )
}

const same = { kind: "same" } as const
const patience: OriginPatience = { step: 10_000, file: 60_000 }
const longestDocument = 64 * 1024 * 1024
