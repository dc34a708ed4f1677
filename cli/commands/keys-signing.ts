import { Command } from "commander"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { createSigningKeys } from "../keys/create-signing-keys.ts"

export const keysSigningCommand = (host: Host, exit: Exit): Command =>
  new Command("signing")
    .addHelpText("after", "\nExample:\n  $ flagstone keys signing > signing-key.txt")
    .action(() => exit(runKeysSigning(host)))

/** Prints the private half on stdout and the public half on stderr, once. Neither is stored. */
export async function runKeysSigning(host: Host): Promise<ExitStatus> {
  const { privateKey, publicKey } = createSigningKeys()
  host.stdout.write(`${privateKey}\n`)
  host.stderr.write(
    "the private half is on stdout and is not shown again: give it to publish as FLAGSTONE_SIGNING_KEY\n" +
      `the public half is not secret: flagstone serve --verify-key ${publicKey}\n`,
  )
  return 0
}
