import { startPatientTimer } from "./patient-timer.ts"
import type { StoreAddress } from "./store-address.ts"
import { aliveScript, takeScript } from "./take-script.ts"

/** Our two scripts and the one plain command, on the node, cluster or master that holds the keys. */
export interface RedisClient {
  take(key: string, ...args: readonly string[]): Promise<unknown>
  alive(key: string, ...args: readonly string[]): Promise<unknown>
  zRem(key: string, member: string): Promise<unknown>
}

/** A client, and how to end it. */
export interface OpenedClient {
  readonly client: RedisClient
  /** Rejects what is under way. */
  destroy(): void
}

/**
 * Connects to what is at an address: a node, the cluster that it belongs to, or the master that a Sentinel names. Rejects
 * where that takes longer than `deadline` milliseconds. `onError` is told of a connection that broke, until `destroy`.
 * Nothing reconnects by itself, and nothing is sent twice.
 */
export async function openRedisClient(
  address: StoreAddress,
  deadline: number,
  onError: (error: unknown) => void,
): Promise<OpenedClient> {
  const { createClient, createCluster, defineScript } = await import("@redis/client") // as large as the whole proxy
  const parts: { destroy(): void }[] = []
  let isOpen = true
  let hangs = false

  const hear = (error: unknown): void => {
    if (isOpen) onError(error)
  }
  const destroy = (): void => {
    isOpen = false
    for (const part of parts.splice(0)) part.destroy()
  }

  const { username, password } = address
  const options = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
  } as const
  const script = (text: string) =>
    defineScript({
      SCRIPT: text,
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, key: string, ...args: readonly string[]) {
        parser.pushKey(key)
        parser.push(...args)
      },
      transformReply: undefined as unknown as () => unknown,
    })
  const calls = {
    scripts: { take: script(takeScript), alive: script(aliveScript) },
    commandOptions: { timeout: 0 }, // each call has a timer of ours
  }
  const socketOptions = { connectTimeout: deadline, reconnectStrategy: false } as const

  function openNode(socket: StoreAddress["socket"], database: number) {
    const node = createClient({ ...options, ...calls, socket: { ...socket, ...socketOptions }, database })
    parts.push(node.on("error", hear))
    return node.connect()
  }

  function openCluster(socket: StoreAddress["socket"]) {
    const isSecure = "tls" in socket && socket.tls
    const cluster = createCluster({
      ...calls,
      rootNodes: [{ socket: { ...socket, ...socketOptions } as typeof socketOptions }],
      defaults: { ...options, socket: isSecure ? { ...socketOptions, tls: true } : socketOptions },
      minimizeConnections: true, // connects to a node when one of its keys is asked for
    })
    parts.push(cluster.on("error", hear).on("node-error", hear))
    return cluster.connect()
  }

  async function open(): Promise<RedisClient> {
    const { socket, database } = address
    const node = await openNode(socket, database)
    const { mode } = (await node.sendCommand(["HELLO"])) as unknown as { readonly mode?: string }
    if (mode !== "cluster" && mode !== "sentinel") return node
    const masters = mode === "sentinel" ? await node.sendCommand(["SENTINEL", "MASTERS"]) : undefined
    parts.splice(0)
    node.destroy()
    return masters === undefined ? openCluster(socket) : openNode(masterOf(masters, socket), database)
  }

  const cancelTimer = startPatientTimer(deadline, () => {
    hangs = true
    destroy()
  })
  try {
    return { client: await open(), destroy }
  } catch (cause) {
    destroy()
    throw hangs ? new Error(`no connection within ${deadline} ms`, { cause }) : cause
  } finally {
    cancelTimer()
  }
}

/** The one master that a Sentinel watches, reached as the Sentinel is. */
function masterOf(masters: unknown, socket: StoreAddress["socket"]): StoreAddress["socket"] {
  const [master, another] = masters as readonly { readonly ip: string; readonly port: string }[]
  if (master === undefined || another !== undefined)
    throw new Error("the Sentinel there must watch one master; give the address of another one")
  return {
    host: master.ip,
    port: Number(master.port),
    tls: "tls" in socket && socket.tls,
  } as StoreAddress["socket"]
}
