import { parseApiKey } from "../../proxy/contract/api-key.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { KeySet } from "../../proxy/keys/key-set.ts"
import type { KeySource } from "../../proxy/keys/key-source.ts"
import { good } from "../../proxy/reload/fault.ts"
import type { KeptSecrets } from "./kept-secrets.ts"

/** The API key of `dev` for an environment. */
export interface RunKey {
  readonly environment: string
  readonly secret: string
}

/** One API key for each environment that `dev` serves, in addition to those in the key file, if there is one. */
export interface RunKeys extends KeySource {
  /** In the order of the project. */
  readonly current: readonly RunKey[]
  /** Sets the environments: from now on exactly these have a key. */
  setEnvironments(project: string, environments: readonly string[]): Promise<void>
  /** The keys added since the last call: each curl line is printed once. */
  takeUnprinted(): readonly RunKey[]
}

/** `findFile`: the key file, once there is one. */
export function createRunKeys(
  secrets: KeptSecrets,
  now: number,
  findFile: () => KeySource | undefined,
): RunKeys {
  let current: readonly RunKey[] = []
  let printed: readonly string[] = []
  return {
    location: findFile()?.location ?? "this run",
    get current() {
      return current
    },
    async version(ask) {
      const version = (await findFile()?.version(ask)) ?? good("")
      const own = current.map(({ environment }) => environment).join(" ")
      return version.kind === "good" ? good(`${own}\n${version.value}`) : version
    },
    async read(_, ask) {
      const read = (await findFile()?.read(undefined, ask)) ?? good(noKeys)
      return read.kind === "good"
        ? good({ ...read.value, keys: [...current.map((key) => recordOf(key, now)), ...read.value.keys] })
        : read
    },
    async setEnvironments(project, environments) {
      const named = environments.map((environment) => ({ environment, name: `${project}/${environment}` }))
      const found = await secrets(named.map(({ name }) => name))
      current = named.map(({ environment, name }) => ({ environment, secret: found.get(name) ?? "" }))
    },
    takeUnprinted() {
      const taken = current.filter(({ secret }) => !printed.includes(secret))
      printed = current.map(({ secret }) => secret)
      return taken
    },
  }
}

const noKeys: KeySet = { keys: [], bytes: Buffer.alloc(0) }

function recordOf({ environment, secret }: RunKey, createdAt: number): KeyRecord {
  return {
    id: `run:${environment}`, // ids in key files never have a colon
    project: undefined,
    environment,
    for: undefined,
    flags: undefined,
    digest: parseApiKey(secret)?.digest ?? "",
    createdAt,
    notBefore: undefined,
    expiresAt: undefined,
    revokedAt: undefined,
    owner: undefined,
    rateLimit: undefined,
  }
}
