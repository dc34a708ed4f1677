import { Readable } from "node:stream"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createBodyReader, type ReadBody } from "../../../proxy/http/read-body.ts"
import { inTime } from "../../in-time.ts"

function reader(longest: number, room: number): ReadBody {
  const read = createBodyReader({ longest, room, time: 60_000 }, () => performance.now())
  return (...body) => inTime(read(...body), "the body ends, or is given up")
}
const arriving = () => new Readable({ read() {} })
const chunks = (...texts: readonly string[]) => Readable.from(texts.map((text) => Buffer.from(text)))

test("any chunks are one body, and no buffer of others is written to", async () => {
  const read = reader(200, 3200)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 10 }),
      async (parts) => {
        const before = parts.map((part) => Buffer.from(part))
        const body = await read(Readable.from(parts.map((part) => Buffer.from(part.buffer))), null, "a")
        expect(body).toMatchObject({ kind: "whole", bytes: Buffer.concat(before) })
        if (body.kind === "whole") body.release()
        expect(parts.map((part) => Buffer.from(part))).toEqual(before)
      },
    ),
  )
})

test("a longer one is refused as soon as that is known, and no more of it is kept", async () => {
  const read = reader(10, 1600)
  expect(await read(chunks("0123456789"), null, "a")).toMatchObject({ kind: "whole" })
  expect(await read(chunks("01234", "56789", "a"), null, "a")).toEqual({ kind: "too long" })
  const body = chunks("0123456789a")
  expect(await read(body, "11", "a")).toEqual({ kind: "too long" })
  expect(body.readableFlowing).toBeNull() // not even begun
  expect(await read(chunks("0123456789"), "10", "a")).toMatchObject({ kind: "whole" })
})

test("an address block has a sixteenth of the room: its slowest body gives way, and the room comes back", async () => {
  const read = reader(10, 15 * 16)
  const halves = [arriving(), arriving()]
  const bodies = halves.map((half) => read(half, null, "a"))
  for (const half of halves) half.push("12345678")
  expect(await bodies[0]).toEqual({ kind: "no room" })
  halves[1]?.push(null)
  const whole = await bodies[1]
  expect(whole).toMatchObject({ kind: "whole" })
  expect(await read(chunks("12345678"), null, "a")).toEqual({ kind: "no room" })
  expect(await read(chunks("12345678"), null, "b")).toMatchObject({ kind: "whole" })
  if (whole?.kind === "whole") whole.release()
  for (const cut of [false, true, false]) {
    const half = arriving()
    const body = read(half, null, "a")
    half.push("1234567890")
    half.once("data", () => (cut ? half.destroy() : half.push(null)))
    const result = await body
    expect(result).toMatchObject({ kind: cut ? "cut" : "whole" })
    if (result.kind === "whole") result.release()
  }
})

test("strangers with any number of addresses keep no one else out: the slowest body of all gives way", async () => {
  const read = reader(10, 160)
  const slow = Array.from({ length: 100 }, (_, index) => {
    const half = arriving()
    half.push("123456789")
    return read(half, null, `stranger ${index % 30}`)
  })
  for (let round = 0; round < 20; round++) {
    const body = await read(chunks("0123456789"), null, "customer")
    expect(body).toMatchObject({ kind: "whole" })
    if (body.kind === "whole") body.release()
  }
  expect(await slow[0]).toEqual({ kind: "no room" })
})

test("a body that does not arrive in time is given up, even an empty one", async () => {
  const read = createBodyReader({ longest: 10, room: 160, time: 5 }, () => performance.now())
  const half = arriving()
  half.push("1")
  expect(await read(half, "2", "a")).toEqual({ kind: "too slow" })
  expect(await read(arriving(), "2", "a")).toEqual({ kind: "too slow" })
  expect(await read(chunks("0123456789"), "10", "a")).toMatchObject({ kind: "whole" })
})

test("a client that disconnects leaves nothing behind", async () => {
  const body = new Readable({ read() {} })
  const reading = reader(10, 1600)(body, "5", "a")
  body.push("1")
  body.destroy()
  expect(await reading).toEqual({ kind: "cut" })
})
