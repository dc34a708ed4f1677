import { Readable } from "node:stream"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createBodyReader } from "../../../proxy/http/read-body.ts"

const chunks = (...texts: readonly string[]) => Readable.from(texts.map((text) => Buffer.from(text)))

test("any chunks are one body, and nobody's buffer is written to", async () => {
  const read = createBodyReader(200, 200)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 10 }),
      async (parts) => {
        const before = parts.map((part) => Buffer.from(part))
        const body = await read(Readable.from(parts.map((part) => Buffer.from(part.buffer))), undefined)
        expect(body).toEqual({ kind: "whole", bytes: Buffer.concat(before) })
        expect(parts.map((part) => Buffer.from(part))).toEqual(before)
      },
    ),
  )
})

test("a longer one is refused as soon as that is known, and no more of it kept", async () => {
  const read = createBodyReader(10, 100)
  expect(await read(chunks("0123456789"), undefined)).toMatchObject({ kind: "whole" })
  expect(await read(chunks("01234", "56789", "a"), undefined)).toEqual({ kind: "too long" })
  const body = chunks("0123456789a")
  expect(await read(body, "11")).toEqual({ kind: "too long" })
  expect(body.readableFlowing).toBeNull() // not even begun
  expect(await read(chunks("0123456789"), "10")).toMatchObject({ kind: "whole" })
})

test("there is room for so many bytes at once, and it comes back", async () => {
  const read = createBodyReader(10, 15)
  const halves = [new Readable({ read() {} }), new Readable({ read() {} })]
  const bodies = halves.map((half) => read(half, undefined))
  for (const half of halves) half.push("12345678")
  expect(await bodies[1]).toEqual({ kind: "no room" })
  halves[0]?.push(null)
  expect(await bodies[0]).toMatchObject({ kind: "whole" })
  for (const cut of [false, true, false]) {
    const half = new Readable({ read() {} })
    const body = read(half, undefined)
    half.push("1234567890")
    half.once("data", () => (cut ? half.destroy() : half.push(null)))
    expect(await body).toMatchObject({ kind: cut ? "cut" : "whole" })
  }
})

test("a client that goes away leaves nothing behind", async () => {
  const body = new Readable({ read() {} })
  const reading = createBodyReader(10, 100)(body, "5")
  body.push("1")
  body.destroy()
  expect(await reading).toEqual({ kind: "cut" })
})
