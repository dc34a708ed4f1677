import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import type { KeyInput, Page } from "puppeteer-core"
import { openBrowser, openTab } from "../browser.ts"
import { makeFlagsRepository, type Size } from "./flags-repository.ts"
import { pack } from "./packed.ts"
import { type Contender, type Cost, createRun, measure, printHead, printRow } from "./process-cost.ts"

// What a catalogue costs in whole processes, interleaved with a build of the same repository; and how fast its page
// answers a key in Chromium. CPU counts the process and its git processes: on a busy machine it says more than time.
// `npm run bench:catalog -- time browser` runs some parts only.

const work = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const rounds = 3
const run = createRun(work)
const flagstone = pack(work)
const usual: Size = { flags: 2000, commits: 1500, edits: 2 }
const page = join(work, "catalog.html")

function make(name: string, size: Size): string {
  const folder = join(work, name.replaceAll(/\W+/g, "-"))
  makeFlagsRepository(folder, size)
  return folder
}

const catalog = (folder: string) => run(folder, [flagstone, "catalog", "--out", page])

function compareTime(): void {
  const folder = make("time", usual)
  const cost = (name: string, run: () => Cost) => ({ name, run })
  printCosts("2,000 flags, 3 environments, 1,500 commits; the floor is a build", [
    cost("build", () => run(folder, [flagstone, "build"])),
    cost("catalog", () => catalog(folder)),
  ])
  const compressed = gzipSync(readFileSync(page), { level: 6 }).length
  console.log(`${kilobytes(statSync(page).size)}, ${kilobytes(compressed)} compressed by gzip -6`)
}

function printCosts(title: string, contenders: readonly Contender[]): void {
  const costs = measure(contenders, rounds)
  printHead(title)
  for (const [at, cost] of costs.entries()) printRow(contenders[at]?.name ?? "", cost, costs[0] as Cost)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} KB`
}

/** How long typing into the filter takes, in milliseconds. */
const typists = [
  { name: "typed a second after the page came, eleven keys a second", before: 1_000, between: 90 },
  { name: "typed as soon as the page is there, without a pause", before: 0, between: 0 },
]
const letters = [..."feature 42", "Backspace", "Backspace"]

async function measureBrowser(): Promise<void> {
  const browser = await openBrowser()
  try {
    for (const flags of [2_000, 10_000]) {
      catalog(make(`browser ${flags}`, { flags, commits: 300, edits: 20 }))
      console.log(`\n${flags} flags, ${kilobytes(statSync(page).size)}, in ${await browser.version()}`)
      const paints: number[] = []
      for (const { name, before, between } of typists) {
        const keys: number[] = []
        for (let round = 0; round < rounds; round++) {
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
            keys.push(await timeOfKey(tab, letter))
          }
          await tab.close()
        }
        console.log(`a key, ${name}: ${spread(keys)}`)
      }
      console.log(`first contentful paint: ${spread(paints)}`)
    }
  } finally {
    await browser.close()
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}

/** Milliseconds from a key press to the end of the frame that shows its effect. */
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
  ["browser", measureBrowser],
])

try {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds, medians of whole processes`)
  const wanted = process.argv.filter((name) => parts.has(name))
  for (const name of wanted.length > 0 ? wanted : parts.keys()) await parts.get(name)?.()
} finally {
  rmSync(work, { recursive: true, force: true })
}
