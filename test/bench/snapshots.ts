import { hash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Rule } from "../../sdk/contract/snapshot.ts"
import { flagEntry, inEnvironment } from "../flag-entry.ts"

export interface Built {
  readonly project: string
  readonly flags: number
  readonly environments: readonly string[]
  /** Makes other bytes of the same size. */
  readonly salt?: string
  /** The rules of the flag at a position, instead of up to three of `contains`. */
  readonly rulesAt?: (at: number) => readonly Rule[]
}

/** Writes snapshots of this many flags, and their manifest, as `flagstone build` would. */
export function buildSnapshots(
  folder: string,
  { project, flags, environments, salt = "", rulesAt }: Built,
): void {
  mkdirSync(folder, { recursive: true })
  const index: Record<string, unknown> = {}
  for (const environment of environments) {
    const entries = Array.from({ length: flags }, (_, at) =>
      inEnvironment(
        flagEntry(`flag-${String(at).padStart(5, "0")}`, at % 4, false, `Built for a benchmark. ${salt}`),
        environment,
      ),
    )
    for (const [at, { environment }] of rulesAt ? entries.entries() : [])
      if (environment !== null) Object.assign(environment, { rules: rulesAt?.(at) })
    const text = `${JSON.stringify({ flags: entries })}\n`
    const size = Buffer.byteLength(text)
    writeFileSync(join(folder, `${environment}.json`), text)
    index[environment] = {
      id: environment,
      file: `${environment}.json`,
      sha256: hash("sha256", text, "hex"),
      size,
      flags,
    }
  }
  writeFileSync(
    join(folder, "manifest.json"),
    `${JSON.stringify({ formatVersion: 1, project, revision: null, environments: index })}\n`,
  )
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
