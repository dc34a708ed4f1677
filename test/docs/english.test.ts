import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { commandTable } from "../../cli/command-table.ts"
import { run } from "../../cli/program.ts"
import { commandNames } from "../command-names.ts"
import { testHost } from "../test-host.ts"
import { pages, root } from "./pages.ts"

/** What no native engineer would write. A phrase is added when the last one of it is gone. */
const phrases = [
  /A text that begins so/,
  /all there get/,
  /\bbut its neighbours in column/,
  /\bcloses the door\b/,
  /\bis a version (from|up to)\b/,
  /\bno case comes to\b/,
  /\bno context is known\b/,
  /\bnone of Flagstone's\b/,
  /paste one, and/i,
  /\bProxies from before\b/,
  /\bSay what users get\b/,
  /\bsays nothing of (it|them)\b/,
  /\bSend what build made\b/,
  /\bshows and serves them\b/,
  /\btell other tools of\b/,
  /\bthere was `for`/,
  /\bWho waits\b/,
  /\bwhom the shares leave\b/,
  /\bwill soon not be read\b/,
]

/** In files that users read, and in those that hold what they read. */
const noOne = /\bnobody\b/i

/** These are edited elsewhere, and follow. */
const later = /^(docs\/lifecycle\.md|cli\/(promote|remove|stale|usages)\/)/

async function readTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(pages.map(({ path, text }) => [path, text]))
  for (const folder of ["cli", "test/golden"])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|txt|md|json)$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      texts.set(path.slice(root.length + 1), readFileSync(path, "utf8"))
    }
  for (const words of commandNames(commandTable)) {
    const host = testHost()
    await run([...words, "--help"], host, "0.0.0")
    texts.set(`flagstone ${words.join(" ")} --help`, host.out())
  }
  return texts
}

test("no phrase comes back into help, messages, pages and golden files", async () => {
  const found = [...(await readTexts())].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => {
      const isFound = phrases.some((phrase) => phrase.test(line))
      const isNobody = noOne.test(line) && !later.test(path) && !path.startsWith("test/golden/")
      return isFound || isNobody ? [`${path}:${index + 1}: ${line.trim()}`] : []
    }),
  )
  expect(found).toEqual([])
})
