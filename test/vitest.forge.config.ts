import { defineConfig } from "vitest/config"

// What `act` makes of the workflows. It is installed first, so this is not part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/**/*.forge.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    testTimeout: 180_000,
    hookTimeout: 1_800_000,
  },
})
