import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Ends a server. */
export interface Drain {
  /**
   * Waits `delay` milliseconds, during which load balancers notice and clients are still answered; answers under way end
   * their connections. Then accepts no more connections, closes idle ones half a second later, lets the requests under
   * way end, and closes what is left after `deadline` more milliseconds. A second call closes everything immediately.
   */
  stop(delay: number, deadline: number): Promise<void>
}

/** Call this before the server listens, so that it knows all connections and the requests under way on each. */
export function createDrain(server: Server): Drain {
  const connections = new Map<Socket, Connection>()
  /** How many connections and requests there were. */
  let arrivals = 0
  let isClosing = false

  server.on("connection", (socket: Socket) => {
    arrivals++
    connections.set(socket, { answers: 0, latest: undefined, idleAt: 0 })
    socket.once("close", () => connections.delete(socket))
  })
  const count = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    arrivals++
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.answers++
    connection.latest = res
    res.once("close", () => {
      connection.answers--
      if (connection.answers === 0) connection.latest = undefined
      connection.idleAt = socket.bytesRead
      if (isClosing && connection.answers === 0) socket.destroySoon()
    })
  }
  for (const event of ["request", "checkContinue", "checkExpectation"]) server.prependListener(event, count)

  // `close` calls it, too early: a load balancer may just be sending a request on one, and repeats no POST.
  server.closeIdleConnections = () => {}

  function closeIdle(): void {
    for (const [socket, { answers, idleAt }] of connections)
      if (answers === 0 && socket.bytesRead === idleAt) socket.destroy()
  }

  /**
   * Resolves in a turn of the event loop that brought nothing: connections that the kernel has accepted, but not this
   * process, are reset when it stops listening.
   */
  async function quiet(): Promise<void> {
    for (let turns = 0, before = -1; turns < mostTurns && before !== arrivals; turns++) {
      before = arrivals
      await new Promise(setImmediate)
    }
  }

  const { wait, hurry } = createWait()
  let stopping: Promise<void> | undefined
  let isHurried = false

  function cut(): void {
    for (const socket of connections.keys()) socket.destroy()
  }

  async function drain(delay: number, deadline: number): Promise<void> {
    for (const { latest } of connections.values())
      if (latest?.headersSent === false) latest.shouldKeepAlive = false
    await wait(delay)
    await quiet()
    isClosing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    if (isHurried) cut()
    await Promise.race([closed, wait(idleTime)])
    hurry() // its timer
    closeIdle()
    await Promise.race([closed, wait(deadline)])
    hurry()
    cut()
    await closed
  }

  return {
    stop(delay, deadline) {
      if (stopping === undefined) stopping = drain(delay, deadline)
      else {
        isHurried = true
        hurry()
        cut()
      }
      return stopping
    },
  }
}

/** More than a second of work. */
const mostTurns = 1_000

/** Milliseconds for which idle connections may still bring a request. */
const idleTime = 500

/** A wait, in milliseconds, and what ends it. */
function createWait() {
  let end = (): void => {}
  return {
    wait: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    hurry: () => end(),
  }
}

interface Connection {
  /** How many requests were read and are not yet fully answered. */
  answers: number
  /** The answer to the last of these requests. */
  latest: ServerResponse | undefined
  /** How many bytes had been read when the last answer ended: further bytes are half a request. */
  idleAt: number
}
