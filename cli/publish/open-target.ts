import { resolve } from "node:path"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { announceWaits } from "./announce-waits.ts"
import { createFolderTarget } from "./folder-target.ts"
import { readHeaderValue } from "./header-value.ts"
import { createHttpTarget } from "./http-target.ts"
import { parseS3Address } from "./s3-signer.ts"
import { createS3Target } from "./s3-target.ts"
import type { PublishTarget } from "./target.ts"
import { createWeb } from "./web.ts"

/** What a target needs from the outside world. */
export interface OpenConfig {
  readonly host: Pick<Host, "cwd" | "env" | "now" | "random" | "pid" | "isRunning" | "stderr">
  /** Resolves after this many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/**
 * The target that a user names: `s3://bucket/prefix`, `https://…`, or else a folder. It says so on stderr while it does not
 * answer. Throws `Failure`.
 */
export function openTarget(name: string, config: OpenConfig): PublishTarget {
  return announceWaits(openSilently(name, config), (line) => config.host.stderr.write(line))
}

function openSilently(name: string, { host, sleep }: OpenConfig): PublishTarget {
  const { env, now, random } = host
  const web = () => createWeb({ env, sleep, random })
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(name) ?? []
  if (scheme === undefined) return createFolderTarget(resolve(host.cwd, name), name, host)

  if (scheme === "s3") return createS3Target({ ...parseS3Address(name), env, now, web: web() })
  if (scheme !== "http" && scheme !== "https")
    throw new Failure(`a target is a folder, s3://bucket/prefix or https://…, not ${scheme}://…`)
  if (!URL.canParse(name)) throw new Failure("the target's URL is not valid")
  const url = new URL(name)
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new Failure(
      "the target's URL must end with its path and contain no credentials; put credentials in FLAGSTONE_PUBLISH_AUTHORIZATION",
    )
  const authorization = env.FLAGSTONE_PUBLISH_AUTHORIZATION || undefined
  return createHttpTarget({
    base: url.href.replace(/\/+$/, ""),
    authorization: authorization && readHeaderValue("FLAGSTONE_PUBLISH_AUTHORIZATION", authorization),
    web: web(),
  })
}
