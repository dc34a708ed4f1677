import { describe, expect, test } from "vitest"
import { createProgress } from "../../cli/progress.ts"
import { testHost } from "../test-host.ts"

describe("progress", () => {
  const run = (terminal: boolean, env = {}) => {
    let now = 0
    const host = testHost({
      isTerminal: { stdin: false, stdout: false, stderr: terminal },
      env,
      monotonicNow: () => now,
    })
    const progress = createProgress("flags compiled:", host)
    progress.show(10, 30)
    now = 1500
    progress.show(20, 30)
    progress.end()
    return host.err()
  }
  test("is one line on a terminal after a second, and gone at the end", () => {
    expect(run(true)).toBe("\rflags compiled: 20 of 30\u001b[K\r\u001b[K")
  })
  test("begins after a whole second, and is removed only if it was shown", () => {
    let now = 0
    const isTerminal = { stdin: false, stdout: false, stderr: true }
    const host = testHost({ isTerminal, env: { CI: "" }, monotonicNow: () => now })
    now = 500
    const progress = createProgress("files sent:", host)
    now = 1499
    progress.show(1, 3)
    progress.end()
    expect(host.err()).toBe("")
    now = 1500
    progress.show(2, 3)
    progress.end()
    progress.end()
    expect(host.err()).toBe("\rfiles sent: 2 of 3\u001b[K\r\u001b[K")
  })
  test("is not written to files or in CI", () => {
    expect(run(false)).toBe("")
    expect(run(true, { CI: "true" })).toBe("")
  })
})
