import type { Bucket } from "../contract/key-record.ts"
import type { Grant } from "./lease.ts"
import { startPatientTimer } from "./patient-timer.ts"
import type { Asked } from "./shared-bucket.ts"
import type { StoreAddress } from "./store-address.ts"
import { aliveScript, keyPrefix, takeScript } from "./take-script.ts"

/** A connection that is there. Every call rejects once it is lost, and none is sent twice. */
export interface StoreConnection {
  take(id: string, bucket: Bucket, asked: Asked): Promise<Grant>
  /** Says that the proxy of this name is alive, and resolves with the number of those that are. */
  beat(name: string): Promise<number>
  leave(name: string): Promise<unknown>
  /** Rejects what is under way. */
  close(): void
}

/** Connects within `deadline` milliseconds, or rejects. `onLost` is called once if the connection breaks later. */
export async function connectStore(
  { socket, username, password, database }: StoreAddress,
  deadline: number,
  onLost: (fault: string) => void,
): Promise<StoreConnection> {
  const { createClient, defineScript } = await import("@redis/client") // as large as the whole proxy
  const script = (text: string) =>
    defineScript({
      SCRIPT: text,
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, key: string, ...args: string[]) {
        parser.pushKey(keyPrefix + key)
        parser.push(...args)
      },
      transformReply: undefined as unknown as () => unknown,
    })
  const client = createClient({
    socket: { ...socket, connectTimeout: deadline, reconnectStrategy: false },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    database,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    commandOptions: { timeout: 0 },
    scripts: { take: script(takeScript), beat: script(aliveScript) },
  })
  let isConnected = false
  client.on("error", (error: unknown) => {
    if (isConnected) onLost(faultOf(error))
    isConnected = false
  })
  let hangs = false
  const cancelTimer = startPatientTimer(deadline, () => {
    hangs = true
    client.destroy()
  })
  try {
    await client.connect()
  } catch (cause) {
    throw hangs ? new Error(`no connection within ${deadline} ms`, { cause }) : cause
  } finally {
    cancelTimer()
  }
  isConnected = true

  return {
    async take(id, { capacity, refillPerSecond }, { settle, need, lease }) {
      const args = [capacity, refillPerSecond, settle, need, lease].map(String)
      const [granted, rest, wait] = (await client.take(`bucket:${id}`, ...args)) as unknown as [
        number,
        string,
        number,
      ]
      return { granted, rest: Number(rest), wait }
    },
    beat: async (name) => Number(await client.beat("proxies", name)),
    leave: (name) => client.zRem(`${keyPrefix}proxies`, name),
    close() {
      isConnected = false
      client.destroy()
    },
  }
}

/** What went wrong, in one line; never what the store asks for. */
export function faultOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || String(error)).split("\n", 1)[0] ?? ""
}
