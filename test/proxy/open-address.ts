import { afterEach } from "vitest"
import { type AddressConfig, createAddress } from "../../proxy/reload/address.ts"
import type { SourceCache } from "../../proxy/reload/source.ts"
import type { SnapshotSet } from "../../proxy/snapshots/snapshot-set.ts"
import { createSnapshotSource, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { buildFiles, shop } from "./fixtures.ts"
import { startOrigin, type TestOrigin } from "./origin.ts"
import { createSetReloader, type SetReloader } from "./set-reloader.ts"

/** A set at an address of a real server, which stops after the test. */
export interface OpenedAddress {
  readonly origin: TestOrigin
  readonly source: SnapshotSource
  readonly reloader: SetReloader
}

export interface AddressOptions extends Partial<AddressConfig> {
  readonly cache?: SourceCache<SnapshotSet>
  /** The server's; any free one by default. */
  readonly port?: number
}

const origins: TestOrigin[] = []
afterEach(async () => {
  for (const origin of origins.splice(0)) await origin.stop()
})

/** The server has `shop` in `production`, and an empty `staging`. */
export async function openAddress({ cache, port, ...changes }: AddressOptions = {}): Promise<OpenedAddress> {
  const origin = await startOrigin(port)
  origins.push(origin)
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) origin.files.set(file, text)
  const address = createAddress({
    base: origin.base,
    first: "manifest.json",
    authorization: undefined,
    fixOf: () => "publish the snapshots there",
    ...changes,
  })
  const source = createSnapshotSource(address, undefined, cache)
  return { origin, source, reloader: createSetReloader(source) }
}
