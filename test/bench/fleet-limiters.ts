import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createClient } from "@redis/client"
import { pino } from "pino"
import type { Bucket } from "../../proxy/contract/bucket.ts"
import type { RateLimitStore } from "../../proxy/rate-limit/memory-store.ts"
import { createMemoryStore } from "../../proxy/rate-limit/memory-store.ts"
import { openSharedStore } from "../../proxy/rate-limit/shared-store.ts"
import { parseStoreAddress } from "../../proxy/rate-limit/store-address.ts"

/** One proxy's limiter of one bucket. */
export interface Limiter {
  take(): boolean | Promise<boolean>
  close(): Promise<void>
}

/** Something that limits several proxies by the Redis on a port. */
export interface Contender {
  readonly name: string
  open(port: number, bucket: Bucket): Promise<Limiter>
}

const now = () => performance.now()

function limiterOf(store: RateLimitStore, bucket: Bucket, close: () => Promise<void>): Limiter {
  return {
    take() {
      const taken = store.take("key", bucket, now())
      return taken instanceof Promise
        ? taken.then(({ kind }) => kind === "allowed")
        : taken.kind === "allowed"
    },
    close,
  }
}

export const memory: Contender = {
  name: "memory, each its own bucket",
  open: async (_, bucket) => limiterOf(createMemoryStore(10), bucket, async () => undefined),
}

export const flagstone: Contender = {
  name: "Flagstone",
  async open(port, bucket) {
    const address = parseStoreAddress(`redis://127.0.0.1:${port}`)
    if (address === undefined) throw new Error("no address")
    const clock = { monotonicNow: now, random: Math.random }
    const store = await openSharedStore({
      address,
      wait: 25,
      proxies: 1,
      clock,
      logger: pino({ level: "silent" }),
    })
    return limiterOf(store, bucket, async () => store.stop())
  },
}

/** rate-limiter-flexible and @upstash/ratelimit, installed into a folder. npm must be able to. */
export function installPeers(folder: string): readonly Contender[] {
  writeFileSync(join(folder, "package.json"), "{}")
  const packages = ["rate-limiter-flexible@11.4.0", "@upstash/ratelimit@2.2.0", "@upstash/redis@1.38.2"]
  const npm = ["install", "--silent", "--no-audit", "--no-fund", ...packages]
  execFileSync("npm", npm, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  const load = createRequire(join(folder, "package.json"))
  return [
    {
      name: "rate-limiter-flexible 11.4.0",
      async open(port, { capacity, refillPerSecond }) {
        const client = await connect(port)
        const { RateLimiterRedis } = load("rate-limiter-flexible")
        // It has no token bucket on Redis: windows of the same capacity, as many as the bucket refills.
        const duration = capacity / refillPerSecond
        const options = {
          storeClient: client,
          useRedisPackage: true,
          points: capacity,
          duration,
          rejectIfRedisNotReady: true,
        }
        const limiter = new RateLimiterRedis({ ...options, inMemoryBlockOnConsumed: capacity })
        const refused = (reason: unknown) => {
          if (reason instanceof Error) throw reason
          return false
        }
        return {
          take: () => limiter.consume("key").then(() => true, refused),
          close: async () => client.destroy(),
        }
      },
    },
    {
      name: "@upstash/ratelimit 2.2.0",
      async open(port, { capacity, refillPerSecond }) {
        const client = await connect(port)
        const { Ratelimit } = load("@upstash/ratelimit")
        // It speaks HTTP to Upstash. For Redis, its client's calls are translated, without the flags of its scripts.
        const text = (values: readonly unknown[] = []) => values.map(String)
        const scripts = new Map<string, string>()
        const redis = {
          async eval(script: string, keys: string[], args: unknown[]) {
            const plain = script.replace(/^\s*#!.*\n/, "")
            scripts.set(hash("sha1", script), hash("sha1", plain))
            return client.eval(plain, { keys, arguments: text(args) })
          },
          async evalsha(sha: string, keys: string[], args: unknown[]) {
            const plain = scripts.get(sha)
            if (plain === undefined) throw new Error("NOSCRIPT")
            return client.evalSha(plain, { keys, arguments: text(args) })
          },
        }
        const limits = Ratelimit.tokenBucket(refillPerSecond, "1 s", capacity)
        const limiter = new Ratelimit({ redis, limiter: limits })
        return {
          take: () => limiter.limit("key").then(({ success }: { success: boolean }) => success),
          close: async () => client.destroy(),
        }
      },
    },
  ]
}

async function connect(port: number) {
  const client = createClient({ socket: { host: "127.0.0.1", port }, commandOptions: { timeout: 0 } })
  return client.on("error", () => undefined).connect()
}
