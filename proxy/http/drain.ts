import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Ends a server. */
export interface Drain {
  /**
   * Waits `delay` milliseconds, during which load balancers notice and clients are still answered; answers under way end
   * their connections. Then accepts no more connections, lets the requests under way end, and closes what is left after `deadline` more milliseconds. A second
   * call closes everything immediately.
   */
  stop(delay: number, deadline: number): Promise<void>
}

/** Call this before the server listens, so that it knows all connections and the requests under way on each. */
export function createDrain(server: Server): Drain {
  const connections = new Map<Socket, Connection>()
  let isClosing = false

  server.on("connection", (socket: Socket) => {
    connections.set(socket, { answers: 0, latest: undefined, idleAt: 0 })
    socket.once("close", () => connections.delete(socket))
  })
  const count = ({ socket }: IncomingMessage, res: ServerResponse): void => {
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

  // `close` calls it. Node's own version considers an answer finished while it is still being sent.
  server.closeIdleConnections = () => {
    for (const [socket, { answers, idleAt }] of connections)
      if (answers === 0 && socket.bytesRead === idleAt) socket.destroy()
  }

  const { wait, hurry } = createWait()
  let stopping: Promise<void> | undefined

  function cut(): void {
    for (const socket of connections.keys()) socket.destroy()
  }

  async function drain(delay: number, deadline: number): Promise<void> {
    for (const { latest } of connections.values())
      if (latest?.headersSent === false) latest.shouldKeepAlive = false
    await wait(delay)
    isClosing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.race([closed, wait(deadline)])
    hurry() // the deadline's timer
    cut()
    await closed
  }

  return {
    stop(delay, deadline) {
      if (stopping === undefined) stopping = drain(delay, deadline)
      else {
        hurry()
        cut()
      }
      return stopping
    },
  }
}

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
