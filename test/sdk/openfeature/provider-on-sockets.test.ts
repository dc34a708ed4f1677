// @module-tag system
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"

afterAll(() => OpenFeature.close())

test("reads from a proxy on a real socket, on the real clock", async () => {
  const { proxy, secret } = await startTestProxy()
  const provider = new FlagstoneProvider({ url: `${proxy.url}/`, apiKey: secret, pollInterval: 100 })
  await OpenFeature.setProviderAndWait("socket", provider)
  const client = OpenFeature.getClient("socket")
  expect(await client.getBooleanDetails("dark.mode", false, { email: "ann@example-0.com" })).toMatchObject({
    value: true,
    variant: "5f1d000",
  })
  const stale = new Promise((resolve) => client.addHandler(ProviderEvents.Stale, resolve))
  await proxy.stop()
  await stale
  expect(await client.getBooleanValue("dark.mode", false, { email: "ann@example-0.com" })).toBe(true)
  await provider.onClose()
})

test("follows no redirect: its key would go to the named address", async () => {
  const asked: string[] = []
  async function open(name: string, location: () => string): Promise<string> {
    const server = createServer((_, res) => {
      asked.push(name)
      res.writeHead(302, { location: location() }).end()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const elsewhere = await open("elsewhere", () => "/")
  const url = await open("here", () => `${elsewhere}/v1/flags`)
  const provider = new FlagstoneProvider({ url, apiKey: "fsk_of-ann" })
  await expect(provider.initialize()).rejects.toThrow(/returned 302: redirects are not followed/)
  await provider.onClose()
  expect(asked).toEqual(["here"])
})
