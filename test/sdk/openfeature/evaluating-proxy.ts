import type { ProxyConfig } from "../../../proxy/serve.ts"
import { buildFiles, createMapSource } from "../../proxy/fixtures.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy, type TestProxy } from "../../proxy/start-proxy.ts"

/** A proxy on a real socket that also evaluates. */
export function createTestProxy(changes: Partial<ProxyConfig> = {}): Promise<TestProxy> {
  return startTestProxy({
    evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
    snapshots: [createMapSource(buildFiles({ production: evaluatedFlags }))],
    ...changes,
  })
}
