import type { Readable } from "node:stream"
import { Command } from "commander"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { keyState } from "../../proxy/contract/key-record.ts"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readStoredKeys } from "../keys/stored-keys.ts"
import { keysOption, type OptionsOf } from "./options.ts"

const declareKeysVerify = () =>
  new Command("verify")
    .addOption(keysOption())
    .addHelpText("after", "\nExample:\n  $ flagstone keys verify --keys keys.yaml < secret.txt")

/** The options of `keys verify`. */
export type KeysVerifyOptions = OptionsOf<typeof declareKeysVerify>

export const keysVerifyCommand = (host: Host, exit: Exit) =>
  declareKeysVerify().action((options) => exit(runKeysVerify(options, host)))

/** Prints which key a secret belongs to and whether that key is active. The secret is never repeated. */
export async function runKeysVerify(options: KeysVerifyOptions, host: Host): Promise<ExitStatus> {
  const { keys } = await readStoredKeys(options.keys, host)
  const secret = (await readStart(host.stdin)).trim()
  if (secret === "")
    throw new Failure("there is no secret on stdin; run `flagstone keys verify < secret.txt`")
  const parsed = parseApiKey(secret)
  if (parsed === undefined) {
    host.stdout.write("not an API key: characters are missing, wrong or extra\n")
    return 1
  }
  const key = keys.find(({ digest }) => digest === parsed.digest)
  if (key === undefined) {
    host.stdout.write(`unknown: a well-formed API key that is not in ${options.keys}\n`)
    return 1
  }
  const state = keyState(key, host.now())
  const use = key.for === undefined ? "" : `, for ${key.for} only`
  const owner = key.owner === undefined ? "" : `, owned by ${printable(key.owner)}`
  host.stdout.write(`${state}: key ${key.id} of ${key.environment}${use}${owner}\n`)
  return state === "active" ? 0 : 1
}

/** In characters, far more than a secret has: anything longer is not one. */
const maxRead = 4096

async function readStart(stdin: Readable): Promise<string> {
  let text = ""
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > maxRead) break
  }
  return text
}
