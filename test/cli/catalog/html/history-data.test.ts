import { expect, test } from "vitest"
import type { DescribedChange } from "../../../../cli/catalog/history/described-commit.ts"
import { historyData } from "../../../../cli/catalog/html/history-data.ts"
import { phrase } from "../../../../cli/diagnostics/phrase.ts"

const dataOf = (commits: readonly (readonly DescribedChange[])[]) =>
  historyData(
    commits.map((changes, at) => ({ id: `${at}`, at, author: "Ann", subject: "", changes })),
    ["test", "live"],
  )

test("each sentence and each change is written once, and different ones stay different", () => {
  const changed = (what: string, before: string, environment = "live"): DescribedChange => ({
    ...{ kind: "changed", flag: "a", environment, what: [`${what}: `, { foreign: before }] },
    who: [{ sentence: phrase`no one` }, { environment: "test", sentence: phrase`all get ${before}` }],
  })
  const { byFlag, sentences, changes } = dataOf([
    [changed("owner", "a b")],
    [changed("owner", "a b"), changed("owner", "a b", "test"), changed("owner: a", "b")],
  ])
  expect(byFlag.get("a")).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [1, 2],
  ])
  expect(changes.map(([whatOf, environmentOf]) => [whatOf, environmentOf])).toEqual([
    [2, 1],
    [2, 0],
    [4, 1],
  ])
  expect(sentences).toEqual([
    ["no one"],
    ["all get ", "a b", ""],
    ["owner: ", "a b"],
    ["all get ", "b", ""],
    ["owner: a: ", "b"],
  ])
})

test("a renamed flag has its own history, and that of a flag that had the key before", () => {
  const change = (kind: "added" | "removed" | "renamed", flag: string, from?: string): DescribedChange => ({
    ...{ kind, flag, what: [`${kind}: `, { foreign: from ?? flag }], who: [] },
    ...(from === undefined ? {} : { from }),
  })
  const { byFlag, changes, sentences } = dataOf([
    [change("added", "a")],
    [change("added", "b")],
    [change("removed", "a")],
    [change("renamed", "a", "b")],
  ])
  const words = [...byFlag].map(([key, all]) => [
    key,
    ...all.map(([, changeOf]) => sentences[changes[changeOf]?.[0] ?? -1]?.join("")),
  ])
  expect(words).toEqual([["a", "added: a", "added: b", "removed: a", "renamed: b"]])
})
