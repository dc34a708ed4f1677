import { expect, test } from "vitest"
import { createSendProgress } from "../../../cli/publish/progress.ts"
import { testHost } from "../../test-host.ts"

test("progress counts the files that are sent", () => {
  let now = 0
  const host = testHost({ isTerminal: { stdout: true, stderr: true }, monotonicNow: () => now })
  const progress = createSendProgress(2, host)
  progress.step()
  now = 1500
  progress.step()
  progress.end()
  expect(host.err()).toBe("\rfiles sent: 2 of 2\x1b[K\r\x1b[K")
})
