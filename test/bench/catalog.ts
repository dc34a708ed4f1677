import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import type { KeyInput, Page } from "puppeteer-core"
import { openBrowser, openTab } from "../browser.ts"
import {
  type FlagText,
  flagText,
  makeFlagsRepository,
  pathOf,
  type Size,
  shapes,
} from "./flags-repository.ts"
import { pack } from "./packed.ts"
import { type Contender, type Cost, createRun, measure, printHead, printRow } from "./process-cost.ts"

// What a catalogue costs beside a build of the same repository (2,000 flags, 3 environments, 1,500 commits), in whole
// processes, interleaved; how large it is, for flags of several shapes; and how fast one of 10,000 flags is in Chromium.
// CPU is that of the process and its git processes: on a busy machine it says more than time.
// `npm run bench:catalog -- time size browser` runs some parts only.

const work = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const rounds = 5
const run = createRun(work)
const flagstone = pack(work)
const usual: Size = { flags: 2000, commits: 1500, edits: 2 }
const page = join(work, "catalog.html")

function make(name: string, size: Size): string {
  const folder = join(work, name.replaceAll(/\W+/g, "-"))
  makeFlagsRepository(folder, size)
  return folder
}

const build = (folder: string, ...options: readonly string[]) => run(folder, [flagstone, "build", ...options])
const catalog = (folder: string, ...options: readonly string[]) =>
  run(folder, [flagstone, "catalog", "--out", page, ...options])

/** Compares all with the first, which is a build. */
function compare(title: string, contenders: readonly Contender[]): void {
  const costs = measure(contenders, rounds)
  printHead(title)
  for (const [at, cost] of costs.entries()) printRow(contenders[at]?.name ?? "", cost, costs[0] as Cost)
}

function compareTime(): void {
  const folder = make("time", usual)
  // Each has a repository of its own, so that both see one commit at a time.
  const other = join(work, "time-of-catalog")
  cpSync(folder, other, { recursive: true })
  compare("2,000 flags, 3 environments, 1,500 commits; the floor is the build", [
    { name: "build, cold (no cache)", run: () => build(folder, "--no-cache") },
    { name: "catalog, cold (no cache)", run: () => catalog(other, "--no-cache") },
  ])
  build(folder)
  catalog(other)
  compare("nothing changed, all remembered", [
    { name: "build", run: () => build(folder) },
    { name: "catalog", run: () => catalog(other) },
  ])
  let revision = 100_000
  const afterChange = (cwd: string, make: (folder: string) => Cost): Cost => {
    writeFileSync(join(cwd, pathOf(7)), flagText(7, revision++))
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qam", "x"], { cwd })
    return make(cwd)
  }
  compare("one flag committed, the rest remembered", [
    { name: "build", run: () => afterChange(folder, build) },
    { name: "catalog", run: () => afterChange(other, catalog) },
  ])
}

/** Flags that a catalogue has more to say of. */
const talkative: Readonly<Record<string, { readonly text: FlagText; readonly edits?: number }>> = {
  ordinary: { text: flagText },
  "descriptions of 400 characters": {
    text: (flag, revision) =>
      flagText(flag, revision).replace(/^(description: )(.*)/m, (_all, start, words) => {
        return `${start}${`${words} `.repeat(5).slice(0, 400).trim()}`
      }),
  },
  "12 rules in production": {
    text: (flag, revision) =>
      flagText(flag, revision).replace(/rules:\n {6}- attribute: country/, (found) => {
        const more = Array.from({ length: 10 }, (_, at) => {
          return `      - { attribute: plan, operator: equals, value: plan-${flag}-${at}, returnValue: true }\n`
        })
        return found.replace("\n", `\n${more.join("")}`)
      }),
  },
  "10 edits a commit": { text: flagText, edits: 10 },
  "non-ASCII text": { text: shapes["non-ASCII text"] ?? flagText },
}

function compareSizes(): void {
  console.log("\nbytes of the page, and compressed by gzip -6: 2,000 flags, 3 environments, 1,500 commits")
  for (const [name, { text, edits = usual.edits }] of Object.entries(talkative)) {
    const folder = make(`size ${name}`, { ...usual, text, edits })
    catalog(folder)
    const compressed = gzipSync(readFileSync(page), { level: 6 }).length
    console.log(`${name.padEnd(44)} ${kilobytes(statSync(page).size)} ${kilobytes(compressed)}`)
    rmSync(folder, { recursive: true })
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0).padStart(6)} KB`
}

/** Who types into the filter, in milliseconds. */
const typists = [
  { name: "typed a second after the page came, eleven keys a second", before: 1_000, between: 90 },
  { name: "typed as soon as the page is there, without a pause", before: 0, between: 0 },
]
const letters = [..."feature 42", "Backspace", "Backspace"]

async function measureBrowser(): Promise<void> {
  catalog(make("browser", { flags: 10_000, commits: 300, edits: 20 }))
  const browser = await openBrowser()
  try {
    const paints: number[] = []
    const keys = new Map<string, number[]>(typists.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++)
      for (const { name, before, between } of typists) {
        const { page: tab } = await openTab(browser)
        await tab.setViewport({ width: 1280, height: 900 })
        await tab.goto(pathToFileURL(page).href)
        paints.push(
          await tab.evaluate(
            () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
          ),
        )
        await tab.focus("[name=q]")
        await pause(before)
        for (const letter of letters) {
          await pause(between)
          keys.get(name)?.push(await timeOfKey(tab, letter))
        }
        await tab.close()
      }
    console.log(
      `\n10,000 flags, 300 commits, ${kilobytes(statSync(page).size).trim()}, in ${await browser.version()}`,
    )
    console.log(`first contentful paint: ${spread(paints)}`)
    console.log("a key in the filter, until its answer is painted:")
    for (const [name, times] of keys) console.log(`  ${name}: ${spread(times)}`)
  } finally {
    await browser.close()
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}

/** Milliseconds from a key to the end of the frame that shows its answer. */
async function timeOfKey(tab: Page, key: string): Promise<number> {
  await tab.evaluate(() => {
    const answered = new Promise<number>((done) => {
      document.addEventListener(
        "keydown",
        ({ timeStamp }) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done(performance.now() - timeStamp)
            port2.postMessage(undefined)
          }),
        { once: true },
      )
    })
    Object.assign(globalThis, { answered })
  })
  await tab.keyboard.press(key as KeyInput)
  return tab.evaluate(() => (globalThis as unknown as { answered: Promise<number> }).answered)
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [middle = NaN, last = NaN] = [sorted[sorted.length >> 1], sorted.at(-1)]
  return `median ${middle.toFixed(0)} ms, at most ${last.toFixed(0)} ms (${sorted.length} times)`
}

const parts = new Map<string, () => void | Promise<void>>([
  ["time", compareTime],
  ["size", compareSizes],
  ["browser", measureBrowser],
])

try {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds, medians of whole processes`)
  const wanted = process.argv.filter((name) => parts.has(name))
  for (const name of wanted.length > 0 ? wanted : parts.keys()) await parts.get(name)?.()
} finally {
  rmSync(work, { recursive: true, force: true })
}
