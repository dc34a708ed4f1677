import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { planKeys, sendKeys } from "../../../cli/publish/key-plan.ts"
import { readPublishedKeys } from "../../../cli/publish/published-keys.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import { isSigned, parsePrivateKey } from "../../../proxy/contract/signature.ts"
import { mintKey } from "../../proxy/fixtures.ts"

/** A new pair of keys: the private half as text and as a key. */
export function newKey() {
  const { privateKey: text } = createSigningKeys()
  const privateKey = parsePrivateKey(text)
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)
  return { text, signingKey: privateKey.value }
}

export const { text: privateText, signingKey } = newKey()
export const now = Date.parse("2026-11-21T10:00:00.000Z")
export const address = "https://flags.example/shop"
export const [web, app] = [mintKey({ id: "web" }).record, mintKey({ id: "app", owner: "Zoë: #1" }).record]

/** What a target has. */
export async function published(target: PublishTarget) {
  const { stored, file, signature } = await readPublishedKeys(target)
  const text = signature?.bytes.toString() ?? ""
  return {
    file,
    lines: text.split("\n").length - 1,
    holds: isSigned(stored?.bytes ?? Buffer.alloc(0), text, signingKey),
  }
}

/** Publishes keys as the command does. */
export async function send(
  target: PublishTarget,
  keys = [web],
  options = {},
): Promise<"sent" | "nothing to send"> {
  const plan = planKeys(keys, await readPublishedKeys(target), { signingKey, address, now, ...options })
  if (plan === undefined) return "nothing to send"
  await sendKeys(target, plan)
  return "sent"
}
