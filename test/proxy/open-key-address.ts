import { afterEach } from "vitest"
import { createKeyCache } from "../../proxy/keys/key-cache.ts"
import { createKeySource, type KeySource } from "../../proxy/keys/key-source.ts"
import { createAddress } from "../../proxy/reload/address.ts"
import type { Trust } from "../../proxy/reload/trust.ts"
import { createKeyReloader } from "../contracts/key-source.ts"
import { startOrigin, type TestOrigin } from "./origin.ts"

/** A key file at an address of a real server, which stops after the test. */
export interface OpenedKeyAddress {
  readonly origin: TestOrigin
  readonly source: KeySource
  readonly reloader: ReturnType<typeof createKeyReloader>
}

export interface KeyAddressOptions {
  /** The key file's; none by default. */
  readonly text?: string
  readonly trust?: Trust
  /** The folder of the cache; none by default. */
  readonly cacheFolder?: string
  /** The server; a new one by default. */
  readonly origin?: TestOrigin
}

const origins: TestOrigin[] = []
afterEach(async () => {
  for (const origin of origins.splice(0)) await origin.stop()
})

export async function openKeyAddress({
  text,
  trust,
  cacheFolder,
  origin: given,
}: KeyAddressOptions = {}): Promise<OpenedKeyAddress> {
  const origin = given ?? (await startOrigin())
  if (given === undefined) origins.push(origin)
  if (text !== undefined) origin.files.set("keys.yaml", text)
  const file = "keys.yaml"
  const source = createKeySource({
    folder: createAddress({
      base: origin.base,
      first: file,
      authorization: undefined,
      fixOf: () => "publish it with `flagstone publish --keys`",
    }),
    file,
    location: new URL(file, origin.base).href,
    trust,
    cache: cacheFolder === undefined ? undefined : createKeyCache(cacheFolder, trust),
  })
  return { origin, source, reloader: createKeyReloader(source) }
}
