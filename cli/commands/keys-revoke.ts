import { Command } from "commander"
import { isKeyId, keyState } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { revokeKey } from "../keys/edit-keys.ts"
import { changeStoredKeys, noKeyFile } from "../keys/stored-keys.ts"
import { keysOption, type OptionsOf } from "./options.ts"

const declareKeysRevoke = () =>
  new Command("revoke")
    .argument("<id>", "the key's id, as `keys list` shows it")
    .addOption(keysOption())
    .addHelpText("after", "\nExample:\n  $ flagstone keys revoke web --keys keys.yaml")

/** The argument and the options of `keys revoke`. */
export interface KeysRevokeOptions extends OptionsOf<typeof declareKeysRevoke> {
  readonly id: string
}

export const keysRevokeCommand = (host: Host, exit: Exit) =>
  declareKeysRevoke().action((id, options) => exit(runKeysRevoke({ id, ...options }, host)))

/** Writes `revokedAt` into the key file. A key that is already revoked keeps its time. */
export async function runKeysRevoke(options: KeysRevokeOptions, host: Host): Promise<ExitStatus> {
  const { id, keys: name } = options
  // Someone may pass the secret instead of the id: it must not be repeated in the log of a CI job.
  if (!isKeyId(id)) throw new Failure("this is not a key id; `flagstone keys list` shows the ids")
  const now = host.now()
  let done = `revoked ${id}; proxies refuse it as soon as they have read the file`
  await changeStoredKeys(name, host, (stored = noKeyFile(name)) => {
    const key = stored.keys.find((candidate) => candidate.id === id)
    if (key === undefined)
      throw new Failure(`${name} has no key ${id}; \`flagstone keys list\` shows the ids`)
    if (keyState(key, now) !== "revoked") return revokeKey(stored, id, now)
    done = `${id} was already revoked; nothing has changed`
    return stored
  })
  host.stderr.write(`${name}: ${done}\n`)
  return 0
}
