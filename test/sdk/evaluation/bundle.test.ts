import { join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { type OutputChunk, rolldown } from "rolldown"
import { expect, test } from "vitest"

const sdk = resolve(import.meta.dirname, "../../../sdk")

test("bundled for browsers, all but what only expressions need is at most 8.5 KB gzipped", async () => {
  const bundle = await rolldown({ input: join(sdk, "evaluation/evaluator.ts"), platform: "browser" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk")
  const size = (chunk: OutputChunk) => gzipSync(chunk.code, { level: 9 }).length
  const core = chunks.filter(({ isDynamicEntry }) => !isDynamicEntry)
  const lazy = chunks.filter(({ isDynamicEntry }) => isDynamicEntry)

  expect(chunks.flatMap(({ imports }) => imports).filter((name) => name.startsWith("node:"))).toEqual([])
  expect(
    core
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => !id.startsWith(`${sdk}/evaluation/`) && !id.startsWith(`${sdk}/contract/`)),
  ).toSatisfy((ids: readonly string[]) => ids.every((id) => id.includes("/@noble/hashes/")))
  const bytes = core.map(size).reduce((sum, next) => sum + next, 0)
  console.log(
    `evaluation for browsers: ${bytes} bytes gzipped, for expressions ${lazy.map(size).join(", ")} more`,
  )
  expect(bytes).toBeLessThanOrEqual(8.5 * 1024)
  expect(lazy.flatMap(({ moduleIds }) => moduleIds).some((id) => id.includes("re2js"))).toBe(true)
})
