import { randomBytes } from "node:crypto"
import { relative, resolve } from "node:path"
import { expect, vi } from "vitest"
import type * as ApiKey from "../../proxy/contract/api-key.ts"
import type * as Signature from "../../proxy/contract/signature.ts"
import { recordSecret, testVariable } from "./record.ts"

// Set up before each test file: every secret is noted where it is made, whoever has it made. Nothing is replaced.

const root = resolve(import.meta.dirname, "../..")
process.env[testVariable] = relative(root, expect.getState().testPath ?? "")

vi.mock(import("../../proxy/contract/api-key.ts"), async (original): Promise<typeof ApiKey> => {
  const real = await original()
  return {
    ...real,
    createApiKey(random) {
      const secret = real.createApiKey(random)
      if (random === randomBytes) recordSecret(secret) // what a test made of zeros is no secret
      return secret
    },
  }
})

vi.mock(import("../../proxy/contract/signature.ts"), async (original): Promise<typeof Signature> => {
  const real = await original()
  return {
    ...real,
    createSigningKeys() {
      const pair = real.createSigningKeys()
      recordSecret(pair.privateKey)
      return pair
    },
  }
})
