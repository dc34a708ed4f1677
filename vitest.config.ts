import { hash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig, type ViteUserConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const files = globSync("test/**/*.test.ts", { cwd: import.meta.dirname })
const tagged = (tag: RegExp) =>
  files.filter((file) => tag.test(readFileSync(join(import.meta.dirname, file), "utf8")))
const starting = tagged(/^\/\/ @module-tag (system|slow)$/m)
const long = new Set(tagged(/^\/\/ @module-tag long$/m).map((file) => join(import.meta.dirname, file)))

/**
 * Begins with the files that take longest, so that no core waits for one of them at the end, and keeps the files of a
 * project together: vitest ends a worker whose next file is of another project, and the next one loads all modules again.
 */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    const place = ({ moduleId }: TestSpecification) => hash("sha1", `${seed} ${moduleId}`)
    const rank = ({ moduleId, project }: TestSpecification) =>
      long.has(moduleId) ? 0 : project.name === "system" ? 1 : 2
    const sorted = shuffle
      ? files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
      : await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

const common: ViteUserConfig["test"] = {
  isolate: false, // each module is loaded once for all files of a worker
  maxConcurrency: 8, // tests of a file that run at once wait for clocks
  testTimeout: 30_000, // real processes on a machine that does other things, too
  hookTimeout: 60_000, // a disk that others use takes ten seconds to remove a tree of packages
  setupFiles: ["test/secrets/worker.ts"],
}

export default defineConfig({
  test: {
    update: "none", // an expected file that is missing is a failure, in CI or not; only -u writes one
    globalSetup: "test/secrets/run.ts",
    sequence: { sequencer: Sequencer },
    // Many tests wait for processes, clocks and the disk. Unless told, vitest leaves a core idle: of two, half of them.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    tags: [
      { name: "system", description: "starts a process, a browser or a server: not in `npm run check`" },
      { name: "slow", description: "takes more than a few seconds: not in `npm test`" },
      { name: "long", description: "takes more than a minute: begins first" },
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
