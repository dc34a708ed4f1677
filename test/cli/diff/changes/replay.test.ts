// @module-tag system
import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { expect, test } from "vitest"
import { openRepository } from "../../../repository.ts"
import { shop } from "../sides.ts"

const cli = resolve(import.meta.dirname, "../../../../cli/flagstone.js")

test("contexts that are larger than the heap are read one by one", async () => {
  const repository = openRepository(mkdtempSync(join(tmpdir(), "flagstone-replay-")))
  repository.git("init", "-q")
  repository.write("flags/project.yaml", shop)
  repository.write("flags/f.yaml", "defaultValue: false\n")
  repository.commit(0)
  repository.write("flags/f.yaml", "defaultValue: true\n")
  const [count, length] = [100_000, 1_000]
  const line = `{"name":"${"x".repeat(length)}"}\n`
  const child = spawn(process.execPath, ["--max-old-space-size=48", cli, "diff", "--contexts", "-"], {
    cwd: repository.folder,
    stdio: ["pipe", "pipe", "pipe"],
  })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  await pipeline(Readable.from(lines(line, count)), child.stdin)
  const [out, err] = await printed
  expect(err).toBe("")
  expect(out).toContain(`${count} of ${count} contexts of \`stdin\` get a different value\n`)
})

function* lines(line: string, count: number): Generator<string> {
  const block = line.repeat(100)
  for (let at = 0; at < count; at += 100) yield block
}
