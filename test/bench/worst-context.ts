import { join } from "node:path"
import type { Rule } from "../../sdk/contract/snapshot.ts"
import { load, type Request, round, startServe } from "./servers.ts"
import { buildSnapshots, median } from "./snapshots.ts"

/** One rule for each kind of operator in turn: a share, an expression, a search, a version, a number, a list. */
export function rulesAt(at: number): readonly Rule[] {
  const [attribute, operator, value] = operators[at % operators.length]?.(at) ?? []
  if (attribute === undefined || operator === undefined || value === undefined) return []
  return [{ id: `r${at}`, attribute, operator, value, returnValue: true }]
}

const operators: readonly ((at: number) => readonly [string, string, string])[] = [
  (at) => ["targetingKey", "percentage", String((at % 50) + 1)],
  (at) => ["agent", "matches", `(?i)(bot|crawler|spider|fetch${at})`],
  (at) => ["email", "contains", `@example-${at}.com`],
  () => ["app", "semverGreaterThan", "9.1.4"],
  (at) => ["age", "greaterThan", String(at)],
  (at) => ["groups", "in", JSON.stringify([`team-${at}`, "staff"])],
]

const plain = {
  targetingKey: "customer-4711",
  agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
  email: "ann@example.com",
  app: "4.13.0",
  age: 42,
  groups: ["customers", "berlin"],
}

/** As much as allowed of whatever takes longest. */
export const worst = {
  targetingKey: "c".repeat(256),
  agent: "crawle ".repeat(146),
  email: "@".repeat(1024),
  app: "9.1.4.".repeat(170).slice(0, 1023),
  age: "1".repeat(1024),
  groups: Array.from({ length: 1024 }, (_, at) => `g${at}`),
}

/** The CPU time of the most expensive allowed request for all flags, compared with a plain one. */
export async function benchWorst(
  folder: string,
  keyFile: string,
  request: Request,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<readonly Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = []
  for (const flags of [100, 1_000, 10_000]) {
    const dist = join(folder, `worst-${flags}`)
    buildSnapshots(dist, { project: "shop", flags, environments: ["production"], rulesAt })
    const proxy = await startServe(["--snapshots", dist, "--keys", keyFile, "--ofrep"])
    const cpu = { plain: [] as number[], worst: [] as number[] }
    for (let count = 0; count < rounds; count++)
      for (const [name, context] of Object.entries({ plain, worst }))
        cpu[name as keyof typeof cpu].push(
          (await load(proxy, { ...request, posts: JSON.stringify({ context }) }, seconds)).cpu,
        )
    proxy.stop()
    const [least, most] = [median(cpu.plain), median(cpu.worst)]
    table.push({
      flags,
      "plain µs": round(least),
      "worst µs": round(most),
      "worst/plain": round(most / least),
      met: most / least <= 10 ? "yes" : "NO",
    })
  }
  return table
}
