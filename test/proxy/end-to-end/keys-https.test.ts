// @module-tag system
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { makeCertificate } from "../../servers/certificate.ts"
import { testHost } from "../../test-host.ts"
import { mintKey } from "../fixtures.ts"
import { startOrigin } from "../origin.ts"
import { makeServedFolder, spawnProxy } from "../start-proxy.ts"

// Keys without a signature, which come only from the server that its certificate names.

const keyFileOf = (...keys: readonly ReturnType<typeof mintKey>[]) =>
  `keys:\n${keys
    .map(
      ({ record: { id, digest } }) =>
        `  - {id: ${id}, environment: production, digest: "sha256:${digest}", createdAt: 2026-11-21T10:00:00Z}\n`,
    )
    .join("")}`

async function startSecureOrigin() {
  const { key, certificate } = makeCertificate(mkdtempSync(join(tmpdir(), "flagstone-https-")))
  const origin = await startOrigin(0, { key: readFileSync(key), cert: readFileSync(certificate) })
  onTestFinished(() => origin.stop())
  return { origin, certificate, address: new URL("keys.yaml", origin.base).href }
}

test("keys come over https unsigned, are revoked, and no redirect is followed", async () => {
  const { origin, certificate, address } = await startSecureOrigin()
  const { folder } = makeServedFolder()
  const [kept, revoked, strangers] = ["kept", "revoked", "strangers"].map((id) => mintKey({ id })) as [
    ReturnType<typeof mintKey>,
    ReturnType<typeof mintKey>,
    ReturnType<typeof mintKey>,
  ]
  origin.files.set("keys.yaml", keyFileOf(kept, revoked))
  const proxy = spawnProxy(
    folder,
    address,
    ["--poll-interval", "0s"],
    ["env", `NODE_EXTRA_CA_CERTS=${certificate}`],
  )
  const url = await proxy.started()
  const statuses = () =>
    Promise.all(
      [kept, revoked, strangers].map(
        async ({ secret }) =>
          (await fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 401])

  origin.files.set("keys.yaml", keyFileOf(kept))
  proxy.child.kill("SIGHUP")
  await proxy.said("keys reloaded")
  expect(await statuses()).toEqual([200, 401, 401])

  const elsewhere = await startOrigin()
  onTestFinished(() => elsewhere.stop())
  elsewhere.files.set("keys.yaml", keyFileOf(strangers))
  const location = new URL("keys.yaml", elsewhere.base).href
  origin.answer = (_req, res) => void res.writeHead(302, { location }).end()
  proxy.child.kill("SIGHUP")
  await proxy.said("returned 302; redirects are not followed: use the final URL")
  expect(await statuses()).toEqual([200, 401, 401])
  expect(elsewhere.headers).toEqual([])
})

test("keys of a server whose certificate no one vouches for are refused", async () => {
  const { origin, address } = await startSecureOrigin()
  const { folder } = makeServedFolder()
  origin.files.set("keys.yaml", keyFileOf(mintKey()))
  const host = testHost({ cwd: folder })
  expect(await run(["serve", "--check", "--snapshots", ".", "--keys", address], host, "0.0.0")).toBe(1)
  expect(host.err()).toMatch(
    /keys.yaml: cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\); .*NODE_EXTRA_CA_CERTS$/m,
  )
  expect(origin.headers).toEqual([])
})
