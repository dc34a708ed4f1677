import { defineConfig } from "vitest/config"

// Whether imported flags give what their tools' own engines give. npm installs these first, so this is not part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/**/*.engines.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    testTimeout: 300_000,
  },
})
