import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import usual from "../vitest.config.ts"

/** Files of which no test is wanted; the filter by tags alone would load them. */
const unwanted = globSync("**/*.test.ts", { cwd: import.meta.dirname }).filter((file) =>
  /^\/\/ @module-tag (system|slow)$/m.test(readFileSync(join(import.meta.dirname, file), "utf8")),
)

// `npm run check`: a test that starts something without the tag for it fails.
export default defineConfig({
  test: {
    ...usual.test,
    exclude: [...configDefaults.exclude, ...unwanted.map((file) => `test/${file}`)],
    isolate: false, // each module is loaded once for all files of a worker
    setupFiles: ["test/secrets/worker.ts", "test/starts-nothing.ts"],
  },
})
