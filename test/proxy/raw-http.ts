import { connect, type Socket } from "node:net"
import { recordSaid } from "../secrets/record.ts"

/** A server's answer to raw bytes, until it closes the connection. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return converse(port, (socket) => void socket.write(bytes))
}

/** A server's answer to what `speak` does with the connection, until it closes it. */
export function converse(port: number, speak: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => speak(socket))
    socket.setEncoding("latin1")
    socket.on("data", (chunk: string) => {
      answer += chunk
    })
    socket.on("error", reject)
    socket.on("close", () => {
      // Without a request to answer, there is no ServerResponse.
      if (!answer.startsWith("HTTP/1.1 200 ")) recordSaid("raw answers", `${answer}\n`)
      resolve(answer)
    })
  })
}

/** A connection that stays open. */
export interface Connection {
  /** Sends bytes and resolves with the next complete answer that has a length. */
  ask(bytes: string): Promise<string>
  /** Sends bytes and disconnects without waiting for an answer. */
  leave(bytes: string): void
  readonly closed: Promise<void>
}

export function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let buffered = ""
    let deliver: (() => void) | undefined
    const socket: Socket = connect(port, "127.0.0.1")
    const closed = new Promise<void>((done) => socket.once("close", () => done()))
    socket.setEncoding("latin1")
    socket.on("error", reject)
    socket.on("data", (chunk: string) => {
      buffered += chunk
      deliver?.()
    })
    socket.once("connect", () =>
      resolve({
        closed,
        leave: (bytes) => socket.write(bytes, () => socket.destroy()),
        ask: (bytes) =>
          new Promise((answer, fail) => {
            socket.once("close", () => fail(new Error("closed before the answer")))
            deliver = () => {
              const head = buffered.indexOf("\r\n\r\n")
              if (head < 0) return
              const length = Number(/\r\ncontent-length: (\d+)/i.exec(buffered)?.[1] ?? 0)
              const end = head + 4 + length
              if (buffered.length < end) return
              const whole = buffered.slice(0, end)
              buffered = buffered.slice(end)
              deliver = undefined
              answer(whole)
            }
            socket.write(bytes)
            deliver()
          }),
      }),
    )
  })
}

/** Sends bytes and never reads an answer; returns a function that disconnects. */
export function sendWithoutReading(port: number, bytes: string): () => void {
  const socket = connect(port, "127.0.0.1")
  socket.pause().write(bytes)
  return () => socket.destroy()
}
