import { randomBytes } from "node:crypto"
import type { H3Event } from "h3"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { createApp } from "../../proxy/app.ts"
import { evaluatePath } from "../../proxy/contract/http.ts"
import { clientAddress } from "../../proxy/http/client-address.ts"
import { createCors } from "../../proxy/http/cors.ts"
import { createKeyring } from "../../proxy/keys/keyring.ts"
import { createOfrep } from "../../proxy/ofrep/ofrep.ts"
import { createEvaluatedPreparation } from "../../proxy/prepare/prepare-evaluated.ts"
import { createMemoryStore } from "../../proxy/rate-limit/memory-store.ts"
import { createGeneration } from "../../proxy/snapshots/generation.ts"
import { buildFiles, loadFiles, mintKey, shop } from "./fixtures.ts"

// Run by app.test.ts in a separate process, whose garbage collector it may call. Prints the heap, in bytes, when
// the tables are full and after as many more requests, and how often each status was answered.
const parts = {
  keyring: () => keyring,
  generation: () => generation,
  keyLimits: createMemoryStore(1000),
  strangerLimits: createMemoryStore(1000),
  strangerBucket: { capacity: 2, refillPerSecond: 1 },
  clientAddress: ({ req }: H3Event) => clientAddress("192.0.2.1", req.headers.get("x-forwarded-for"), 1),
  now: () => 0,
  monotonicNow: () => 0,
  cors: createCors(["https://shop.example"]),
}
const app = createApp({
  ...parts,
  ofrep: createOfrep({
    ...parts,
    evaluateLimits: createMemoryStore(1000),
    evaluateBucket: { capacity: 2, refillPerSecond: 1 },
  }),
  isReady: () => true,
  onFailure: (error) => {
    throw error
  },
})
const known = mintKey()
const keyring = createKeyring([known.record], { capacity: 1e9, refillPerSecond: 1 })
const generation = createGeneration(
  [
    await loadFiles(
      buildFiles({ production: shop }),
      undefined,
      createEvaluatedPreparation(() => 0),
    ),
  ],
  false,
)
const statuses: Record<string, number> = {}

async function flood(count: number): Promise<void> {
  let bytes = randomBytes(4096)
  for (let index = 0; index < count; index++) {
    if (index % 4000 === 0) bytes = randomBytes(8192)
    const text = bytes.toString("base64url", index % 4000, (index % 4000) + 60)
    const isFlag = index % 3 > 0
    const authorization = [
      `Bearer ${createApiKey(randomBytes)}`,
      `Bearer${" ".repeat(1 + (index % 1_000))}${known.secret}`,
    ][index % 5]
    const headers = {
      authorization: authorization ?? `Bearer ${text}`,
      "x-forwarded-for": `${text}, 198.51.${100 + (index % 100)}.${100 + ((index >> 3) % 150)}`,
      "accept-encoding": text,
      "if-none-match": text,
      origin: text,
    }
    const isEvaluation = index % 4 === 0
    const list = isEvaluation ? evaluatePath : "/v1/flags"
    const path = index % 5 === 1 ? list : `${isFlag ? list : ""}/${text}`
    const request = new Request(`http://localhost${path}`, {
      method: isEvaluation ? "POST" : "GET",
      headers,
      ...(isEvaluation && { body: JSON.stringify({ context: { [text]: text } }) }),
    })
    const { status } = await app.fetch(request)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

await flood(50_000)
const before = heap()
await flood(250_000)
process.stdout.write(JSON.stringify({ before, after: heap(), statuses }))
