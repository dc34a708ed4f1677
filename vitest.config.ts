import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig, type ViteUserConfig } from "vitest/config"

const files = globSync("test/**/*.test.ts", { cwd: import.meta.dirname })
const starting = files.filter((file) =>
  /^\/\/ @module-tag (system|slow)$/m.test(readFileSync(join(import.meta.dirname, file), "utf8")),
)

const common: ViteUserConfig["test"] = {
  isolate: false, // each module is loaded once for all files of a worker
  testTimeout: 30_000, // real processes on a machine that does other things, too
  setupFiles: ["test/secrets/worker.ts"],
}

export default defineConfig({
  test: {
    update: "none", // an expected file that is missing is a failure, in CI or not; only -u writes one
    globalSetup: "test/secrets/run.ts",
    // Many tests wait for processes, clocks and the disk. Unless told, vitest leaves a core idle: of two, half of them.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    tags: [
      { name: "system", description: "starts a process, a browser or a server: not in `npm run check`" },
      { name: "slow", description: "takes more than a few seconds: not in `npm test`" },
      {
        name: "property",
        description: "asks as often as `runs` says: four times as often in `npm run test:slow`",
      },
    ],
    projects: [
      {
        test: {
          ...common,
          name: "check",
          include: ["test/**/*.test.ts"],
          exclude: starting,
          setupFiles: ["test/secrets/worker.ts", "test/starts-nothing.ts"],
        },
      },
      { test: { ...common, name: "system", include: starting } },
    ],
  },
})
