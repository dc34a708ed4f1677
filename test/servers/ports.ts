import { connect, createServer } from "node:net"
import { until } from "../in-time.ts"

/** A port that no one listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** Resolves when something listens on a port of this machine. */
export function untilListening(port: number): Promise<void> {
  const isUp = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, "127.0.0.1")
      socket.once("connect", () => done(true)).once("error", () => done(false))
      socket.once("connect", () => socket.destroy())
    })
  return until(isUp, `something listens on port ${port}`)
}
