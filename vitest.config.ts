import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    maxWorkers: "100%", // unless told, vitest leaves a core idle: of two, half of them
    update: "none", // an expected file that is missing is a failure, in CI or not; only -u writes one
    testTimeout: 30_000, // real processes on a machine that does other things, too
    tags: [
      { name: "system", description: "starts a process, a browser or a server: not in `npm run check`" },
      { name: "slow", description: "takes more than about five seconds: not in `npm test`" },
      {
        name: "property",
        description: "asks as often as `runs` says: eight times as often in `npm run test:slow`",
      },
    ],
  },
})
