import { Command } from "commander"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { createSigningKeys } from "../keys/create-signing-keys.ts"
import { writeSecretFile } from "../keys/secret-file.ts"
import { type OptionsOf, secretOutOption } from "./options.ts"

const declareKeysSigning = () =>
  new Command("signing")
    .addOption(secretOutOption("the private half"))
    .addHelpText("after", "\nExample:\n  $ flagstone keys signing --out private.txt")

/** The options of `keys signing`. */
export type KeysSigningOptions = OptionsOf<typeof declareKeysSigning>

export const keysSigningCommand = (host: Host, exit: Exit) =>
  declareKeysSigning().action((options) => exit(runKeysSigning(options, host)))

/** Prints the private half on stdout, or writes it to the new file `out`, and prints the public half on stderr, once. */
export async function runKeysSigning({ out }: KeysSigningOptions, host: Host): Promise<ExitStatus> {
  const { privateKey, publicKey } = createSigningKeys()
  if (out === undefined) host.stdout.write(`${privateKey}\n`)
  else await writeSecretFile(out, privateKey, host)
  const place = out === undefined ? "on stdout and is not shown again" : `in ${out}`
  host.stderr.write(
    `the private half is ${place}: give it to publish as FLAGSTONE_SIGNING_KEY\n` +
      `the public half is not secret: flagstone serve --verify-key ${publicKey}\n`,
  )
  return 0
}
