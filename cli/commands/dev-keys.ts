import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { KeySource } from "../../proxy/keys/key-source.ts"
import { good } from "../../proxy/reload/fault.ts"
import type { Host } from "../host.ts"
import { mintKey } from "../keys/mint-key.ts"

/** API keys for one run of `dev`, beside those of the key file if there is one. */
export interface RunKeys extends KeySource {
  /** Makes a key for each environment that has none from this run yet. */
  mintFor(environments: readonly string[]): void
  /** The keys made since the last call: each secret is printed once. */
  takeUnprinted(): readonly { readonly environment: string; readonly secret: string }[]
}

export function createRunKeys(host: Pick<Host, "now" | "randomBytes">, file: KeySource | undefined): RunKeys {
  const records: KeyRecord[] = []
  let unprinted: { environment: string; secret: string }[] = []
  return {
    location: file?.location ?? "this run",
    async version(ask) {
      const version = (await file?.version(ask)) ?? good("")
      return version.kind === "good" ? good(`${records.length} ${version.value}`) : version
    },
    async read(_, ask) {
      const read = (await file?.read(undefined, ask)) ?? good([])
      return read.kind === "good" ? good([...records, ...read.value]) : read
    },
    mintFor(environments) {
      for (const environment of environments) {
        if (records.some((record) => record.environment === environment)) continue
        const { secret, digest } = mintKey(host.randomBytes)
        records.push(runRecord(environment, digest, host.now()))
        unprinted.push({ environment, secret })
      }
    },
    takeUnprinted() {
      const taken = unprinted
      unprinted = []
      return taken
    },
  }
}

function runRecord(environment: string, digest: string, createdAt: number): KeyRecord {
  return {
    id: `run:${environment}`, // ids in key files never have a colon
    project: undefined,
    environment,
    digest,
    createdAt,
    notBefore: undefined,
    expiresAt: undefined,
    revokedAt: undefined,
    owner: undefined,
    rateLimit: undefined,
  }
}
