import { describe, expect, test } from "vitest"
import { planKeys, sendKeys } from "../../../cli/publish/key-plan.ts"
import { readPublishedKeys } from "../../../cli/publish/published-keys.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import { maxKeyFileLength } from "../../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../../proxy/contract/key-record.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { address, app, newKey, now, published, send, signingKey, web } from "./key-publisher.ts"

describe("at every moment of sending", () => {
  /** A target that carries out only so many writes. */
  function cutAfter(target: PublishTarget, writes: number): PublishTarget {
    let done = 0
    return {
      ...target,
      async write(file, condition) {
        if (done++ === writes) throw new Error("the network is gone")
        return target.write(file, condition)
      },
    }
  }

  test.each([0, 1])("a proxy accepts what is there, even after only %d writes", async (writes) => {
    const target = createMemoryTarget()
    await send(target)
    await expect(send(cutAfter(target, writes), [web, app])).rejects.toThrow("the network is gone")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, holds: true })
    expect(await send(target, [web, app])).toBe("sent")
    expect(await published(target)).toMatchObject({
      ...{ file: { keys: [web, app] }, holds: true },
      lines: 2 + writes, // the signature of who was cut off stays: it may still send its file
    })
  })

  test.each([true, false])(
    "of two publishers no one ends well while the keys of neither hold; conditions: %s",
    async (isConditional) => {
      let won = 0
      // Every order in which the writes of two publishers can follow each other.
      for (const order of ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"]) {
        const target = createMemoryTarget(new Map(), isConditional)
        await send(target)
        const plans = await Promise.all(
          [[app], [web, app]].map(async (keys, at) =>
            planKeys(keys, await readPublishedKeys(target), { signingKey, address, now: now + 10 + at }),
          ),
        )
        let turn = 0
        const waiting: (() => void)[] = []
        const isDone = [false, false]
        const next = () => {
          while (turn < order.length && isDone["AB".indexOf(order[turn] ?? "")]) turn++
          for (const wake of waiting.splice(0)) wake()
        }
        const publisher = (at: number): PublishTarget => ({
          ...target,
          async write(file, condition) {
            while (turn < order.length && order[turn] !== "AB"[at])
              await new Promise<void>((done) => waiting.push(done))
            const result = await target.write(file, condition)
            turn++
            next()
            return result
          },
        })
        const results = await Promise.allSettled(
          plans.map(async (plan, at) => {
            try {
              if (plan) await sendKeys(publisher(at), plan)
            } finally {
              isDone[at] = true
              next()
            }
          }),
        )
        const winners = results.filter(({ status }) => status === "fulfilled").length
        const { holds } = await published(target)
        won += winners
        if (isConditional) expect({ order, winners, holds }).toEqual({ order, winners: 1, holds: true })
        if (winners > 0) expect({ order, holds }).toEqual({ order, holds: true })
      }
      expect(won).toBeGreaterThanOrEqual(2) // if one goes after the other, there is always one
    },
  )
})

test.each([0, 5000])(
  "keys that are sent again are later, even by a clock that is %d ms behind",
  async (behind) => {
    const target = createMemoryTarget()
    expect(await send(target, [web, app])).toBe("sent")
    expect(await send(target, [web], { now: now - behind })).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { publishedAt: now + 1 }, lines: 2, holds: true })
    expect(await send(target, [web], { signingKey: undefined, now: now - behind })).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { publishedAt: now + 2 } })
  },
)

describe("a change of the signature", () => {
  test("without a key, only a published signature is replaced", async () => {
    const target = createMemoryTarget()
    const planned = async () =>
      planKeys([web], await readPublishedKeys(target), { signingKey: undefined, address: undefined, now })
    expect(await planned()).toMatchObject({ file: { path: "keys.yaml" }, signature: undefined })
    await send(target)
    expect(await planned()).toMatchObject({ signature: { path: "keys.yaml.sig", bytes: Buffer.alloc(0) } })
  })

  test("is sent even if the keys are the same: a new key, or none", async () => {
    const target = createMemoryTarget()
    await send(target)
    const other = newKey()
    expect(await send(target, [web], { signingKey: other.signingKey, now: now + 1 })).toBe("sent")
    expect((await published(target)).holds).toBe(false)
    expect(await send(target, [web], { signingKey: other.signingKey })).toBe("nothing to send")
    expect(await send(target, [web], { signingKey: undefined, address: undefined })).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, lines: 0 })
    expect(await send(target, [web], { signingKey: undefined, address: undefined })).toBe("nothing to send")
  })

  test.each(["9999-12-31T23:59:59.999Z", "2999-01-01T00:00:00.000Z"])(
    "an unsigned time, %s, is not trusted: whoever can write there could block every later file",
    async (time) => {
      const target = createMemoryTarget(
        new Map([["keys.yaml", Buffer.from(`publishedAt: ${time}\nkeys: []\n`)]]),
      )
      expect(await send(target)).toBe("sent")
      expect(await published(target)).toMatchObject({ file: { publishedAt: now, keys: [web] }, holds: true })
    },
  )

  test("a damaged file is replaced", async () => {
    const files = new Map<string, Buffer>([["keys.yaml", Buffer.from("keys: [")]])
    const target = createMemoryTarget(files)
    expect(await send(target)).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, holds: true })
  })
})

test("keys are refused if the file that is sent would be longer than proxies read", () => {
  const many = (more: number) =>
    Array.from({ length: 51 }, (_, at): KeyRecord => {
      const flags = Array.from({ length: 100 }, (_, glob) => `${glob}`.padEnd(200, "x"))
      const owner = "x".repeat(1 + Math.min(199, Math.max(0, more - at * 199)))
      return { ...web, for: "evaluate", flags, owner, id: `key-${at}`, digest: `${at}`.padStart(64, "0") }
    })
  const none = { stored: undefined, file: undefined, signature: undefined }
  const plan = (more: number) => planKeys(many(more), none, { signingKey, address, now })
  const rest = maxKeyFileLength - (plan(0)?.file.bytes.length ?? 0)
  expect(plan(rest)?.file.bytes.length).toBe(maxKeyFileLength)
  expect(() => plan(rest + 1)).toThrow(
    `the keys take ${maxKeyFileLength + 1} bytes, and proxies read at most ${maxKeyFileLength}; remove keys that expired long ago`,
  )
})
