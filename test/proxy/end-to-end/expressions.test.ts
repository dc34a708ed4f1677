// @module-tag system
// @module-tag slow
import { expect, test } from "vitest"
import { seeded } from "../../seeded.ts"
import { buildFiles } from "../fixtures.ts"
import { flagOf, path, rule } from "../ofrep/evaluated-flags.ts"
import { makeServedFolder, spawnProxy } from "../start-proxy.ts"

const random = seeded(1)

/** Has what all the expressions below need, and makes each of them add hundreds of states. */
function strangersText(): string {
  let text = Array.from({ length: 40 }, (_, at) => `os${at}`).join(" ")
  while (text.length < 1000) text += random() < 0.5 ? "iphone" : "ipXone"
  return text
}

test("texts of strangers do not fill the memory with the states of expressions", async () => {
  const flags = Array.from({ length: 40 }, (_, at) =>
    flagOf(`flag-${10 + at}`, "boolean", false, [rule("matches", "name", `iphone.{0,100}os${at}`, true)]),
  )
  const { folder, keyFile, secret } = makeServedFolder(buildFiles({ production: flags }))
  const heap = "NODE_OPTIONS=--max-semi-space-size=4 --max-old-space-size=256"
  const proxy = spawnProxy(folder, keyFile, ["--ofrep"], ["env", heap])
  const url = (await proxy.started()) + path
  const headers = { authorization: `Bearer ${secret}` }
  for (let request = 0; request < 120; request++) {
    const body = JSON.stringify({ context: { name: strangersText() } })
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200)
  }
  expect(await proxy.stop()).toMatchObject({ ended: 0 })
})
