import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { onTestFinished } from "vitest"

/** Passes connections on to a proxy, until a test says otherwise. */
export interface Relay {
  readonly url: string
  /** Stops passing on the current event streams without ending any connection: no one is notified. */
  freezeStreams(): void
  /** Cuts the current event streams. */
  cutStreams(): void
}

/** Listens in front of a port of this machine until the test is over. */
export async function startRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let streams: Socket[] = []
  const server = createServer((socket) => {
    const onward = connect(port, "127.0.0.1")
    socket.on("data", (data) => {
      if (data.includes("/v1/events")) streams.push(socket, onward)
    })
    socket.pipe(onward).pipe(socket)
    socket.on("close", () => onward.destroy())
    onward.on("close", () => socket.destroy())
    for (const one of [socket, onward]) sockets.add(one.on("error", () => undefined))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freezeStreams() {
      for (const socket of streams) socket.unpipe().pause().removeAllListeners("close")
      streams = []
    },
    cutStreams() {
      for (const socket of streams) socket.destroy()
      streams = []
    },
  }
}
