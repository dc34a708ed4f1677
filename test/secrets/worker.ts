import { randomBytes } from "node:crypto"
import { relative, resolve } from "node:path"
import { expect, vi } from "vitest"
import type * as ApiKey from "../../cli/keys/create-api-key.ts"
import type * as SigningKeys from "../../cli/keys/create-signing-keys.ts"
import { recordSecret, testVariable } from "./record.ts"

// Set up before each test file: every secret is recorded where it is made, whoever calls. Nothing is replaced.

const root = resolve(import.meta.dirname, "../..")
process.env[testVariable] = relative(root, expect.getState().testPath ?? "")

vi.mock(import("../../cli/keys/create-api-key.ts"), async (original): Promise<typeof ApiKey> => {
  const real = await original()
  return {
    ...real,
    createApiKey(random) {
      const secret = real.createApiKey(random)
      if (random === randomBytes) recordSecret(secret) // what a test made of zeros is not a secret
      return secret
    },
  }
})

vi.mock(import("../../cli/keys/create-signing-keys.ts"), async (original): Promise<typeof SigningKeys> => {
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
