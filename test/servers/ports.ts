import { connect, createServer } from "node:net"

/** A port that no one listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** Resolves when something listens on a port of this machine; throws after ten seconds. */
export async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1")
      socket.once("connect", () => done(true)).once("error", () => done(false))
      socket.once("connect", () => socket.destroy())
    })
    if (isUp) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`nobody listens on ${port}`)
}
