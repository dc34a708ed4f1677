import { Command } from "commander"
import type { Exit, Host } from "../host.ts"
import { keysCreateCommand } from "./keys-create.ts"
import { keysListCommand } from "./keys-list.ts"
import { keysRevokeCommand } from "./keys-revoke.ts"
import { keysSigningCommand } from "./keys-signing.ts"
import { keysVerifyCommand } from "./keys-verify.ts"

export const keysCommand = (host: Host, exit: Exit): Command =>
  new Command("keys")
    .description("Make, list, revoke and check the API keys that clients read flags with; make signing keys.")
    .addCommand(keysCreateCommand(host, exit))
    .addCommand(keysListCommand(host, exit))
    .addCommand(keysRevokeCommand(host, exit))
    .addCommand(keysVerifyCommand(host, exit))
    .addCommand(keysSigningCommand(host, exit))
    .addHelpText("after", "\nExample:\n  $ flagstone keys create production --id web --expires 365d")
