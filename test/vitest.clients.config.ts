import { defineConfig } from "vitest/config"

// What OpenFeature's clients in other languages read from a proxy. They are built first, so this is not part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/**/*.clients.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    testTimeout: 60_000,
    hookTimeout: 1_800_000, // Rust's client has two hundred packages
  },
})
