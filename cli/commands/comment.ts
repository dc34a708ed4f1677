import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { Command } from "commander"
import { keepComment } from "../comment/keep-comment.ts"
import { threadOf } from "../comment/thread.ts"
import { Failure } from "../failure.ts"
import { readIfThere } from "../files/read-if-there.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { createWeb } from "../publish/web.ts"

const declareComment = () =>
  new Command("comment")
    .argument("<file>", "what diff --format markdown printed (- for stdin)")
    .addHelpText("after", "\nExample:\n  $ flagstone diff HEAD^ HEAD --format markdown | flagstone comment -")

export const commentCommand = (host: Host, exit: Exit) =>
  declareComment().action((file) => exit(runComment(file, host)))

/** Writes or updates the comment of the request that a CI job runs for. Runs nothing of the repository, not even git. */
async function runComment(file: string, host: Host): Promise<ExitStatus> {
  const comment =
    file === "-" ? await text(host.stdin) : (await readIfThere(resolve(host.cwd, file)))?.toString("utf8")
  if (comment === undefined) throw new Failure(`${file} is missing`)
  // Without a project: what an older diff printed.
  if (!/^<!-- flagstone-\w+(?: [\w.-]+)? -->\r?$/m.test(comment.split("\n", 1)[0] ?? ""))
    throw new Failure(
      `${file} does not begin as diff --format markdown does, so no later run would find the comment`,
    )
  const web = createWeb({ ...host, sleep })
  const done = await keepComment(comment, threadOf(host.env), web).finally(web.close)
  host.stdout.write(`comment ${done}\n`)
  return 0
}
