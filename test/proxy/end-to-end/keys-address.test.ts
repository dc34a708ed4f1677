// @module-tag system
// @module-tag slow
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { formatPublicKey, parsePrivateKey, signBytes } from "../../../proxy/contract/signature.ts"
import { mintKey } from "../fixtures.ts"
import { startOrigin } from "../origin.ts"
import { makeServedFolder, spawnProxy } from "../start-proxy.ts"

// Keys from an address, by a real process over real sockets.

vi.setConfig({ testTimeout: 60_000 })

test("keys arrive, are revoked immediately on SIGHUP, and stay revoked after a restart, whoever writes to the store", async () => {
  const pair = createSigningKeys()
  const privateKey = parsePrivateKey(pair.privateKey)
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)
  const origin = await startOrigin()
  const { folder } = makeServedFolder()
  const [kept, revoked] = [mintKey({ id: "kept" }), mintKey({ id: "revoked" })]
  const put = (text: string, signatures = signBytes(Buffer.from(text), privateKey.value)) => {
    origin.files.set("keys.yaml", text)
    origin.files.set("keys.yaml.sig", signatures)
  }
  const line = ({ record: { id, digest } }: typeof kept) =>
    `  - {id: ${id}, environment: production, digest: "sha256:${digest}", createdAt: 2026-11-21T10:00:00Z}\n`
  const first = `publishedAt: 2026-11-21T10:00:00Z\nkeys:\n${line(kept)}${line(revoked)}`
  put(first)
  // The manifest needs a signature, too.
  const file = join(folder, "manifest.json")
  writeFileSync(file, readFileSync(file, "utf8").replace("{", '{"publishedAt":"2026-11-21T10:00:00Z",'))
  const manifest = readFileSync(file)
  writeFileSync(join(folder, "manifest.json.sig"), signBytes(manifest, privateKey.value))

  const cache = mkdtempSync(join(tmpdir(), "flagstone-cache-"))
  const args = ["--cache-dir", cache, "--verify-key", formatPublicKey(privateKey.value)]
  const keys = new URL("keys.yaml", origin.base).href
  const proxy = spawnProxy(folder, keys, [...args, "--poll-interval", "0s"])
  const ask = async (url: string, { secret }: typeof kept) =>
    (await fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })).status
  const url = await proxy.started()
  expect([await ask(url, kept), await ask(url, revoked)]).toEqual([200, 200])

  const second = `publishedAt: 2026-11-21T11:00:00Z\nkeys:\n${line(kept)}`
  put(second)
  proxy.child.kill("SIGHUP")
  await proxy.said("keys reloaded")
  expect([await ask(url, kept), await ask(url, revoked)]).toEqual([200, 401])

  proxy.child.kill("SIGHUP") // of the same time as what is served, so not older
  await proxy.said("keys reloaded", 2)
  await proxy.said("snapshots reloaded", 2)
  expect(proxy.log()).not.toMatch("refused")

  put(first) // signed, but older
  proxy.child.kill("SIGHUP")
  await proxy.said("keys refused")
  expect(await ask(url, revoked)).toBe(401)
  put(second.replace("2026", "2027"), signBytes(Buffer.from(second), privateKey.value)) // newer, but not signed
  proxy.child.kill("SIGHUP")
  await proxy.said("keys refused", 2)
  expect(proxy.log()).toMatch("is not signed by the key of --verify-key")
  expect((await proxy.stop()).ended).toBe(0)

  put(second)
  const same = spawnProxy(folder, keys, [...args, "--poll-interval", "1s"])
  await same.started()
  await vi.waitFor(() => expect(origin.takeAsked()).toContain("keys.yaml 304"), { timeout: 20_000 })
  expect(same.log()).not.toMatch(/refused|taken from the cache/)
  expect((await same.stop()).ended).toBe(0)

  put(first)
  const restarted = spawnProxy(folder, keys, [...args, "--poll-interval", "0s"])
  const again = await restarted.started()
  expect(restarted.log()).toMatch("keys taken from the cache")
  expect([await ask(again, kept), await ask(again, revoked)]).toEqual([200, 401])
  await origin.stop()
})
