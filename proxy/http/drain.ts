import type { Server } from "node:http"
import type { Socket } from "node:net"

/** How a server ends. */
export interface Drain {
  /**
   * Waits `delay` milliseconds, in which load balancers notice and clients are still answered. Then takes no more
   * connections, lets the requests under way end, and cuts what is left after `deadline` more milliseconds. A second
   * call cuts at once.
   */
  stop(delay: number, deadline: number): Promise<void>
}

/** Make it before the server listens, so that it knows all connections. */
export function createDrain(server: Server): Drain {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })

  let hurry = (): void => {}
  let stopping: Promise<void> | undefined

  function wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function drain(delay: number, deadline: number): Promise<void> {
    await wait(delay)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // Node closes idle connections; those that never sent a byte do not count as idle to it, so we close them.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    await Promise.race([closed, wait(deadline)])
    hurry() // the deadline's timer
    server.closeAllConnections()
    await closed
  }

  return {
    stop(delay, deadline) {
      if (stopping === undefined) stopping = drain(delay, deadline)
      else {
        hurry()
        server.closeAllConnections()
      }
      return stopping
    },
  }
}
