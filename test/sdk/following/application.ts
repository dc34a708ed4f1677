import { createInterface } from "node:readline"
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"

// An application that follows flags, one in each language: it prints each event of its provider as a line, and for each line that
// it reads the value and the reason of the flag `switch`. Arguments: address, API key, milliseconds between polls and until stale,
// cache file.

const [url = "", apiKey = "", pollInterval, staleAfter, cacheFile = ""] = process.argv.slice(2)
const say = (...words: readonly unknown[]) => process.stdout.write(`${words.join(" ")}\n`)
const client = OpenFeature.getClient()
client.addHandler(ProviderEvents.Ready, () => say("READY"))
client.addHandler(ProviderEvents.Error, () => say("ERROR"))
client.addHandler(ProviderEvents.Stale, (details) =>
  details?.message?.startsWith(url) ? say("STALE") : say("STALE without the address:", details?.message),
)
client.addHandler(ProviderEvents.ConfigurationChanged, (details) => say("CHANGED", details?.flagsChanged))
OpenFeature.setProvider(
  new FlagstoneProvider({
    url,
    apiKey,
    pollInterval: Number(pollInterval),
    staleAfter: Number(staleAfter),
    cacheFile,
  }),
)
for await (const _ of createInterface({ input: process.stdin })) {
  const { value, reason, errorCode } = await client.getBooleanDetails("switch", false)
  say("VALUE", value, errorCode ?? reason)
}
await OpenFeature.close()
