import { randomBytes } from "node:crypto"
import { RE2JS } from "re2js"
import { expect, test } from "vitest"
import { createSigningKeys } from "../../cli/keys/create-signing-keys.ts"
import { mintKey } from "../../cli/keys/mint-key.ts"
import { blocksOf, readPage } from "./pages.ts"

// Gitleaks has Go's expressions, and skips files that have none of a rule's keywords, in any case.

const rule = blocksOf(readPage("docs/operating.md").text).find(({ info }) => info === ".gitleaks.toml")
const [, regex = ""] = /^regex = '''(.+)'''$/m.exec(rule?.text ?? "") ?? []
const [, keywords = ""] = /^keywords = (\[.+\])$/m.exec(rule?.text ?? "") ?? []

const finds = (text: string) =>
  JSON.parse(keywords).some((word: string) => text.includes(word)) &&
  RE2JS.compile(regex).matcher(text).find()

const { secret, digest } = mintKey(randomBytes)

test.each([
  ["an API key", `TOKEN=${secret}\n`],
  ["a signing key", `FLAGSTONE_SIGNING_KEY=${createSigningKeys().privateKey}\n`],
  ["a path secret", `"FLAGSTONE_PATH_SECRET": "${randomBytes(32).toString("hex")}"\n`],
  ["an events secret", `export FLAGSTONE_EVENTS_SECRET=${randomBytes(32).toString("base64")}\n`],
])("the rule for Gitleaks finds %s", (_, text) => expect(finds(text)).toBe(true))

test.each([
  ["a digest", `- digest: ${digest}\n`],
  ["a public key", `FLAGSTONE_PUBLIC_KEY=${createSigningKeys().publicKey}\n`],
  ["a reference", "FLAGSTONE_PATH_SECRET: $THE_SECRET_OF_OUR_ADDRESSES_IN_PRODUCTION\n"],
  ["an example", 'FLAGSTONE_EVENTS_SECRET=change-me\n"fsk_…"\n'],
])("the rule for Gitleaks does not find %s", (_, text) => expect(finds(text)).toBe(false))
