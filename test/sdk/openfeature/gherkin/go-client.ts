import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect } from "vitest"
import type { Client, ProviderState } from "./application.ts"

/** Builds and starts the application in `go/`, whose provider asks the server that `serverOf` gives for a state. */
export function startGoClient(serverOf: (state: ProviderState) => { url: string; apiKey: string }): Client {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-suite-"))
  const program = join(folder, "application")
  execFileSync("go", ["build", "-o", program, "."], { cwd: join(import.meta.dirname, "go") })
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] })
  const closed = once(child, "close")
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let status = ""
  async function ask(request: object) {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error("the application ended")
    const answer = JSON.parse(value)
    status = answer.status
    return answer
  }
  return {
    start: (state) => ask({ state, ...serverOf(state) }),
    get status() {
      return status
    },
    async evaluate({ question, context, hooks, happened }) {
      const answer = await ask({ ...question, context, hooks })
      happened.push(...answer.happened)
      expect(answer.context).toEqual(JSON.parse(JSON.stringify(context))) // not modified
      return answer.details
    },
    async close() {
      child.stdin.end()
      await closed
      rmSync(folder, { recursive: true })
    },
  }
}
