import { expect, test } from "vitest"
import { readRevision } from "../../../cli/publish/publications.ts"
import { readPublished } from "../../../cli/publish/published.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { publicationOf, publishOnce } from "./publications.ts"

test("part of a revision's name is enough if only one revision begins with it", async () => {
  const target = createMemoryTarget()
  const options = { perFlag: false, signingKey: undefined }
  for (const [at, revision] of ["a01", "a02", "a0", "b03"].entries())
    await publishOnce(target, publicationOf(revision, { a: revision }), { ...options, now: at * 60_000 })
  const published = await readPublished(target)
  const read = (name: string) => readRevision(target, published, name, undefined)
  expect((await read("b")).revision).toBe("b03")
  expect((await read("a0")).revision).toBe("a0") // the full name of one
  await expect(read("a")).rejects.toThrow("3 revisions begin with a; write more of the name")
  const oldest = { ...published, index: { revisions: published.index.revisions.slice(-2) } }
  await expect(readRevision(target, oldest, "a0", undefined)).rejects.toThrow("2 revisions begin with a0")
  await expect(read("c")).rejects.toThrow("has no revision c")
})

test("a pointer that was read before others published twice is read again", async () => {
  const memory = createMemoryTarget()
  const options = { perFlag: false, signingKey: undefined }
  await publishOnce(memory, publicationOf("01", { a: "1" }), { ...options, now: 1 })
  let isFirst = true
  const slow: typeof memory = {
    ...memory,
    async read(path) {
      const stored = await memory.read(path)
      if (!isFirst) return stored
      isFirst = false
      for (const [at, name] of ["02", "03"].entries())
        await publishOnce(memory, publicationOf(name, { a: name }), { ...options, now: at + 2 })
      return stored
    },
  }
  expect(await readPublished(slow)).toMatchObject({ current: { revision: "03" }, pending: [] })
})
