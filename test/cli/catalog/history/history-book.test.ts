import { expect, test } from "vitest"
import { createHistoryBook } from "../../../../cli/catalog/history/history-book.ts"
import { phrase } from "../../../../cli/phrases/phrase.ts"

test("each sentence and each change is written once, and others are others", () => {
  const book = createHistoryBook(["test", "live"])
  const changed = (what: string, before: string, environment = "live") =>
    book.write({
      ...{ kind: "changed", environment, what: [`${what}: `, { foreign: before }] },
      who: [{ sentence: phrase`nobody` }, { environment: "test", sentence: phrase`all get ${before}` }],
    })
  const first = changed("owner", "a b")
  expect(first).toEqual({ kind: "changed", changeOf: 0, environments: [1, 0] })
  expect(changed("owner", "a b")).toEqual(first)
  expect(changed("owner", "a b", "test")).toEqual({ ...first, changeOf: 1, environments: [0] })
  expect(changed("owner: a", "b").changeOf).toBe(2)
  expect(book.history().sentences).toEqual([
    ["nobody"],
    ["all get ", "a b", ""],
    ["owner: ", "a b"],
    ["all get ", "b", ""],
    ["owner: a: ", "b"],
  ])
})

test("a flag that is renamed keeps its history, and that of a flag that had the key before", () => {
  const book = createHistoryBook([])
  const said = (kind: "added" | "removed" | "renamed", name: string) =>
    book.write({ kind, what: [`${kind}: `, { foreign: name }], who: [] })
  const commits = [
    [{ flag: "a", said: said("added", "a") }],
    [{ flag: "b", said: said("added", "b") }],
    [{ flag: "a", said: said("removed", "a") }],
    [{ flag: "a", from: "b", said: said("renamed", "b") }],
  ]
  for (const [at, changes] of commits.entries()) book.add({ id: `${at}`, at, author: "Ann", changes })
  const { flags, changes, sentences } = book.history()
  const words = flags.map(([key, all]) => [
    key,
    ...all.map(([, changeOf]) => sentences[changes[changeOf]?.[0] ?? -1]?.join("")),
  ])
  expect(words).toEqual([["a", "added: a", "added: b", "removed: a", "renamed: b"]])
})
