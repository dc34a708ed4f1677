import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { keysCreateCommand } from "../../../cli/commands/keys-create.ts"
import { keysListCommand } from "../../../cli/commands/keys-list.ts"
import { keysRevokeCommand } from "../../../cli/commands/keys-revoke.ts"
import { keysRotateCommand } from "../../../cli/commands/keys-rotate.ts"
import { keysSigningCommand } from "../../../cli/commands/keys-signing.ts"
import { keysVerifyCommand } from "../../../cli/commands/keys-verify.ts"
import { parseKeyRecords } from "../../../proxy/contract/key-file.ts"
import { recordShown, showsSecrets } from "../../secrets/record.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

export const day = 86_400_000
export const digest = "5f".repeat(32)
export const otherDigest = "a0".repeat(32)

/** A hand-written file with two keys. */
export const written = `# Who may read our flags.   Ask team-platform.

keys:
    # the shop's browsers
    - id:   web-production    # do not revoke on a Friday
      environment: production
      digest: "sha256:${digest}"
      createdAt: 2026-01-01T00:00:00Z

      rateLimit: {capacity: 1000,   refillPerSecond: 100}   # black week
      # end of web-production

    - { environment: staging, id: 'ci', digest: "sha256:${otherDigest}", createdAt: 2026-01-01T00:00:00.000Z }  # nightly

# the end
`

/** The result of a command line such as `list --keys x.yaml`. */
interface Done {
  readonly status: number | undefined
  readonly out: string
  readonly err: string
}

const commands = {
  create: keysCreateCommand,
  list: keysListCommand,
  revoke: keysRevokeCommand,
  rotate: keysRotateCommand,
  signing: keysSigningCommand,
  verify: keysVerifyCommand,
}

/** A new folder for each test of the calling file, and `flagstone keys …` run in it. */
export function keyFolder() {
  let cwd = ""
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), "flagstone-keys-"))
  })
  afterEach(() => rmSync(cwd, { recursive: true }))
  const read = (name = "keys.yaml") => readFileSync(join(cwd, name), "utf8")
  return {
    path: (name = ".") => join(cwd, name),
    read,
    write: (text: string, name = "keys.yaml") => writeFileSync(join(cwd, name), text),
    /** What a file with one secret holds, which must appear nowhere else from here on. */
    secretIn(name: string) {
      const text = read(name)
      recordShown(text)
      return text.trimEnd()
    },
    modeOf: (name: string) => (statSync(join(cwd, name)).mode & 0o777).toString(8),
    /** The records of a key file that must be valid. */
    stored(name = "keys.yaml") {
      const parsed = parseKeyRecords(read(name))
      if (parsed.kind === "invalid") throw new Error(parsed.reason)
      return parsed.value
    },
    /** Runs a subcommand of `keys`; rejects if the program would exit with 2. */
    async keys(line: string | readonly string[], options: TestHostOptions = {}): Promise<Done> {
      const [name = "", ...args] = typeof line === "string" ? line.split(" ") : line
      const host = testHost({ cwd, showsSecrets: showsSecrets(["keys", name, ...args]), ...options })
      let status: number | undefined
      const command = commands[name as keyof typeof commands](host, async (result) => {
        status = await result
      })
      await command.parseAsync(args, { from: "user" })
      return { status, out: host.out(), err: host.err() }
    },
  }
}
