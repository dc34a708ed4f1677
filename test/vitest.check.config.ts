import { defineConfig } from "vitest/config"
import usual from "../vitest.config.ts"

// `npm run check`: a test that starts something without the tag for it fails.
export default defineConfig({
  test: { ...usual.test, setupFiles: ["test/secrets/worker.ts", "test/starts-nothing.ts"] },
})
