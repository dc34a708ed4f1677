import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    testTimeout: 30_000, // real processes on a machine that does other things, too
  },
})
