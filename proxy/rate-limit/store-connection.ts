import type { Bucket } from "../contract/bucket.ts"
import type { Grant } from "./lease.ts"
import { openRedisClient } from "./redis-client.ts"
import type { TakeRequest } from "./shared-bucket.ts"
import type { StoreAddress } from "./store-address.ts"
import { keyPrefix } from "./take-script.ts"

/** An open connection. Once it is lost, every call rejects; none is sent twice. */
export interface StoreConnection {
  take(id: string, bucket: Bucket, asked: TakeRequest): Promise<Grant>
  /** Says that the proxy of this name is alive, and resolves with the number of those that are. */
  beat(name: string): Promise<number>
  leave(name: string): Promise<unknown>
  /** Rejects what is under way. */
  close(): void
}

/** Connects within `deadline` milliseconds, or rejects. `onLost` is told of every connection that breaks, also while it is being made. */
export async function connectStore(
  address: StoreAddress,
  deadline: number,
  onLost: (fault: string) => void,
): Promise<StoreConnection> {
  const { client, destroy } = await openRedisClient(address, deadline, (error) => onLost(faultOf(error)))
  const proxies = `${keyPrefix}proxies`
  return {
    async take(id, { capacity, refillPerSecond }, { settle, need, lease }) {
      const args = [capacity, refillPerSecond, settle, need, lease].map(String)
      const reply = await client.take(`${keyPrefix}bucket:${id}`, ...args)
      const [granted, rest, wait] = reply as readonly [number, string, number]
      return { granted, rest: Number(rest), wait }
    },
    beat: async (name) => Number(await client.alive(proxies, name)),
    leave: (name) => client.zRem(proxies, name),
    close: destroy,
  }
}

/** What went wrong, in one line, without user and password. */
export function faultOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || String(error)).split("\n", 1)[0] ?? ""
}
