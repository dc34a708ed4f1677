import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import { freePort } from "../servers/ports.ts"
import { startServer, type Target } from "./servers.ts"

/** Another server of OFREP. */
export interface Peer {
  readonly name: string
  /** `undefined`: it is not installed. */
  start(entries: readonly FlagEntry[], folder: string): Promise<Target | undefined>
}

/** The same flags in flagd's format. */
function flagdFlags(entries: readonly FlagEntry[]): object {
  const flags = entries.map(({ flag, environment }) => {
    const rules = environment?.rules ?? []
    const branches = rules.flatMap(({ attribute, value }) => [{ in: [value, { var: attribute }] }, "on"])
    const targeting = rules.length > 0 ? { targeting: { if: [...branches, "off"] } } : {}
    return [
      flag.key,
      { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off", ...targeting },
    ]
  })
  return { flags: Object.fromEntries(flags) }
}

/** The same flags in GO Feature Flag's format; JSON is YAML, too. */
function relayFlags(entries: readonly FlagEntry[]): object {
  const flags = entries.map(({ flag, environment }) => [
    flag.key,
    {
      variations: { on: true, off: false },
      targeting: (environment?.rules ?? []).map(({ id, attribute, value }) => ({
        name: id,
        query: `${attribute} co "${value}"`,
        variation: "on",
      })),
      defaultRule: { variation: "off" },
    },
  ])
  return Object.fromEntries(flags)
}

const isInstalled = (command: string) => spawnSync(command, ["version"]).error === undefined

/** None is part of this repository or its CI: those on the PATH are measured, and the bench names the others. */
export const peers: readonly Peer[] = [
  {
    name: "flagd",
    async start(entries, folder) {
      if (!isInstalled("flagd")) return undefined
      const file = join(folder, "flagd.json")
      writeFileSync(file, JSON.stringify(flagdFlags(entries)))
      const port = await freePort()
      const ports = ["--port", "--management-port", "--sync-port"]
      const others = await Promise.all(ports.map(async (name) => [name, String(await freePort())]))
      const args = ["start", "--uri", `file:${file}`, "--ofrep-port", String(port), ...others.flat()]
      return startServer("flagd", args, port, undefined)
    },
  },
  {
    name: "go-feature-flag",
    async start(entries, folder) {
      if (!isInstalled("go-feature-flag")) return undefined
      const flags = join(folder, "relay-flags.yaml")
      const config = join(folder, "relay.yaml")
      const port = await freePort()
      writeFileSync(flags, JSON.stringify(relayFlags(entries)))
      writeFileSync(config, JSON.stringify({ listen: port, retrievers: [{ kind: "file", path: flags }] }))
      return startServer("go-feature-flag", ["--config", config], port, undefined)
    },
  },
]
