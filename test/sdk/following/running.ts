import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { TestContext } from "vitest"

/** Milliseconds. */
export const pollInterval = 400
const staleAfter = 3_000

/** An application, and what can be asked of it. */
export interface Running {
  /** Waits for the next event. */
  event(): Promise<string>
  /** The events that came and were not waited for. */
  readonly unread: readonly string[]
  /** The flag's value, and its reason or error. */
  value(): Promise<string>
  /** Ends the application as it should be ended. */
  close(): Promise<number | null>
}

/** Starts an application that follows the flags at an address. */
export function run(
  command: readonly string[],
  url: string,
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  {
    env = {},
    apiKey = "key",
    cacheFile = join(mkdtempSync(join(tmpdir(), "flagstone-following-")), "flags.json"),
  }: { readonly env?: object; readonly apiKey?: string; readonly cacheFile?: string } = {},
): Running {
  const [program = "", ...args] = command
  const options = [url, apiKey, String(pollInterval), String(staleAfter), cacheFile]
  const child = spawn(program, [...args, ...options], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"], // OpenFeature prints why a provider does not start
  })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once("exit", resolve).once("error", reject),
  )
  const queues = { events: queue(), values: queue() }
  createInterface({ input: child.stdout }).on("line", (line) =>
    line.startsWith("VALUE ") ? queues.values.push(line.slice("VALUE ".length)) : queues.events.push(line),
  )
  onTestFinished(() => void child.kill("SIGKILL"))
  return {
    event: queues.events.next,
    unread: queues.events.items,
    value: () => {
      child.stdin.write("\n")
      return queues.values.next()
    },
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}

function queue() {
  const items: string[] = []
  const waiting: ((item: string) => void)[] = []
  return {
    items,
    push(item: string) {
      const next = waiting.shift()
      if (next === undefined) items.push(item)
      else next(item)
    },
    next: () =>
      new Promise<string>((resolve) => {
        const item = items.shift()
        if (item === undefined) waiting.push(resolve)
        else resolve(item)
      }),
  }
}
