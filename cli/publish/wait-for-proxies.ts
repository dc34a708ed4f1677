import type { Manifest } from "../../proxy/contract/manifest.ts"
import { isObject } from "../../sdk/contract/parsed.ts"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import { shortName } from "./hold.ts"
import { spanWords } from "./lines.ts"
import type { Web } from "./web.ts"

/** What a proxy must serve. */
export interface Awaited {
  /** Its name at the target. */
  readonly revision: string
  readonly manifest: Manifest
  /** When the key file was published, in milliseconds since the epoch; `undefined`: no keys were sent. */
  readonly keysPublishedAt: number | undefined
}

export interface WaitParts {
  readonly web: Web
  /** Milliseconds from an arbitrary start. */
  readonly monotonicNow: () => number
  /** Resolves after this many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** Milliseconds after which a proxy that does not follow is given up. */
  readonly limit: number
  /** Called with a line for each proxy that has it. */
  readonly onLine: (line: string) => void
}

/**
 * Asks the admin ports at `addresses` for `/health` until each proxy serves what was published. Throws `Failure` with
 * a line for each proxy that does not, and why.
 */
export async function waitForProxies(
  addresses: readonly string[],
  awaited: Awaited,
  parts: WaitParts,
): Promise<void> {
  const begin = parts.monotonicNow()
  const reasons = await Promise.all(addresses.map((address) => follow(address, begin, awaited, parts)))
  const lost = reasons.filter((reason) => reason !== undefined)
  if (lost.length === 0) return
  throw new Failure(
    `${shortName(awaited.revision)} is published, but these proxies do not have it after ${spanWords(parts.limit)} (${lost.length} of ${addresses.length}):\n${lost.join("\n")}`,
  )
}

/** Resolves with why a proxy does not have it at the end, or with `undefined` as soon as it does. */
async function follow(
  address: string,
  begin: number,
  awaited: Awaited,
  { web, monotonicNow, sleep, limit, onLine }: WaitParts,
): Promise<string | undefined> {
  for (;;) {
    const lack = await findLack(address, awaited, web)
    const passed = monotonicNow() - begin
    if (lack === undefined) {
      onLine(`${address} has it after ${spanWords(passed)}\n`)
      return undefined
    }
    if (passed >= limit) return `${address} ${lack}`
    await sleep(Math.min(askInterval, limit - passed))
  }
}

/** Milliseconds between two requests to a proxy. */
const askInterval = 250

/** In bytes: far more than a proxy of a hundred projects answers. */
const longestHealth = 8 * 1_048_576

/** What a proxy lacks, as the rest of a sentence about it; `undefined`: nothing. */
async function findLack(
  address: string,
  { manifest, keysPublishedAt }: Awaited,
  web: Web,
): Promise<string | undefined> {
  let health: unknown
  try {
    const url = new URL(`${address}/health`)
    const response = await web.request(() => ({ method: "GET", url, headers: {} }), longestHealth, 1)
    if (response.status !== 200)
      return `cannot be asked: its /health returned ${response.status}; is this the URL of --admin-port?`
    health = JSON.parse(response.body.toString("utf8"))
  } catch (error) {
    return `cannot be asked: ${(error as Error).message}`
  }
  const { project, revision, environments } = manifest
  const served = listIn(health, "projects").find((served) => isObject(served) && served.project === project)
  if (!isObject(served) || !isObject(served.environments))
    return `serves no project ${project}${faultIn(health)}`
  for (const [name, { sha256 }] of Object.entries(environments)) {
    const environment = served.environments[name]
    if (!isObject(environment)) return `does not serve ${name}${faultIn(health)}`
    if (environment.sha256 !== sha256 || environment.revision !== revision)
      return `serves ${printable(shortName(String(environment.revision)))}${faultIn(health)}`
  }
  const keys = isObject(health) ? health.keysPublishedAt : undefined
  if (keysPublishedAt !== undefined && keys !== new Date(keysPublishedAt).toISOString())
    return `does not have these keys${keys === null ? "; its key file was not published" : ""}${faultIn(health)}`
  return undefined
}

/** Why a proxy's sources were refused, after a colon. */
function faultIn(health: unknown): string {
  const faults = listIn(health, "sources").flatMap((source) =>
    isObject(source) && typeof source.trouble === "string" ? [source.trouble] : [],
  )
  return faults.length === 0 ? "" : `: ${printable([...new Set(faults)].join("; "))}`
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}
