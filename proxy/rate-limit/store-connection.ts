import { hash } from "node:crypto"
import { connect as connectPlainly } from "node:net"
import { connect as connectSecurely } from "node:tls"
import type { Bucket } from "../contract/bucket.ts"
import type { StoreAddress } from "./store-address.ts"
import { takeScript } from "./take-script.ts"

/** What the store granted, what is left, and in how many milliseconds there will be a whole token: 0 if there is one. */
export interface Grant {
  readonly granted: number
  readonly left: number
  readonly wait: number
}

/** A connection, established or being established. Once it has failed, every call rejects; nothing is sent twice. */
export interface StoreConnection {
  take(id: string, bucket: Bucket, asked: number): Promise<Grant>
  /** Rejects the calls under way. */
  close(fault: Error): void
}

/** All possible answers to our commands, in RESP 2: OK, an error, or the script's result. */
const replyForm = /^(?:\+OK|-(.{1,900})|\*3\r\n:(\d{1,15})\r\n\$\d\d?\r\n([\d.e+-]{1,30})\r\n:(\d{1,15}))\r\n/

/** The parts of a grant, or the store's error. */
type Reply = readonly string[] | Error

/** In bytes. Anything longer is not a reply, and could fill the memory. */
const longestReply = 1024

/** `onFailed` is called once, with what ended the connection. */
export function connectStore(address: StoreAddress, onFailed: (fault: Error) => void): StoreConnection {
  const { socket: place, username, password, database } = address
  const socket = "tls" in place && place.tls ? connectSecurely(place) : connectPlainly(place)
  const waiting: ((reply: Reply) => void)[] = []
  let received = ""
  let failed: Error | undefined

  function close(fault: Error): void {
    if (failed !== undefined) return
    failed = fault
    socket.destroy()
    for (const answer of waiting.splice(0)) answer(fault)
    onFailed(fault)
  }

  function receive(chunk: string): void {
    received += chunk
    for (let reply = replyForm.exec(received); reply !== null; reply = replyForm.exec(received)) {
      const [whole, error, ...grant] = reply
      received = received.slice(whole.length)
      waiting.shift()?.(error === undefined ? grant : new Error(withoutPassword(error)))
    }
    if (received.length > longestReply)
      close(new Error("the server is not Redis, or its response is too long"))
  }

  /** Redis repeats the arguments of a command that it does not have, as far as it has space for them. */
  function withoutPassword(error: string): string {
    const start = Buffer.from(password ?? "").toString("latin1", 0, 8)
    const at = start === "" ? -1 : error.indexOf(start)
    return at === -1 ? error : `${error.slice(0, at)}…`
  }

  function send(words: readonly string[], answer: (reply: Reply) => void): void {
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
    if (failed !== undefined) answer(failed)
    else waiting.push(answer)
    socket.write(`*${words.length}\r\n${parts.join("")}`) // does nothing once it is destroyed
  }

  socket.setNoDelay().setEncoding("latin1").on("data", receive).on("error", close)
  socket.on("end", () => close(new Error("the store closed the connection")))
  // Close immediately: commands sent after a refused password would run as the store's default user.
  const orClose = (reply: Reply) => reply instanceof Error && close(reply)
  if (username || password) send(["AUTH", username ?? "default", password ?? ""], orClose)
  if (database !== 0) send(["SELECT", String(database)], orClose)

  const call = (...words: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) =>
      send(words, (reply) => (reply instanceof Error ? reject(reply) : resolve(reply))),
    )
  return {
    async take(id, { capacity, refillPerSecond }, asked) {
      const words = ["1", `flagstone:bucket:${id}`, ...[capacity, refillPerSecond, asked].map(String)]
      const reply = await call("EVALSHA", scriptName, ...words).catch((error: Error) => {
        if (!error.message.startsWith("NOSCRIPT")) throw error
        return call("EVAL", takeScript, ...words)
      })
      const [granted, left, wait] = reply.map(Number) as [number, number, number]
      // Checked because this answer decides who is admitted, and what clients are told.
      if (granted <= asked && left <= capacity && wait <= 1000 / refillPerSecond + 1)
        return { granted, left, wait }
      throw new Error("the store's response is malformed")
    },
    close,
  }
}

const scriptName = hash("sha1", takeScript)
