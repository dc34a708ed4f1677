import { defineConfig } from "vitest/config"

// What `publish` does to third-party S3 servers. They are installed first, so this is not part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/**/*.s3.ts"],
    globalSetup: "test/secrets/run.ts",
    setupFiles: "test/secrets/worker.ts",
    testTimeout: 120_000,
    hookTimeout: 1_800_000, // MinIO is compiled
  },
})
