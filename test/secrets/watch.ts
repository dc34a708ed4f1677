import { existsSync, readFileSync } from "node:fs"
import { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { recordSaid, recordShown, secretFileOf, showsSecrets } from "./record.ts"

// Loaded into every Node process of a test run before its own code (NODE_OPTIONS), so that no test has to think of it:
// records what Flagstone's command line prints and logs, and what any HTTP server answers besides flags.

const [, program = "", ...args] = process.argv
const isFlagstone = /\bflagstone(\.js)?$/.test(program)

if (isFlagstone) {
  const name = `flagstone ${args[0] ?? ""} (process ${process.pid})`
  const shows = showsSecrets(args)
  listenTo(process.stdout, (text) => (shows ? recordShown(text) : recordSaid(`stdout of ${name}`, text)))
  listenTo(process.stderr, (text) => recordSaid(`stderr of ${name}`, text))
  const file = secretFileOf(args)
  if (file !== undefined)
    process.on("exit", () => {
      if (existsSync(file)) recordShown(readFileSync(file, "utf8"))
    })
  process.on("uncaughtExceptionMonitor", (error) => recordSaid(`the crash of ${name}`, inspect(error)))
}

/** Answers, which we send with one `end`, are many and identical under load: each is recorded once. */
const known = new Set<string>()
/** In bytes. Of our own answers only lists of flags are larger: stores of tests send files of megabytes. */
const largest = 256 * 1024
const end = ServerResponse.prototype.end
ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
  const result = Reflect.apply(end, this, given)
  const { statusCode, req } = this
  if (statusCode >= 400 || !req.url?.startsWith("/v1/")) {
    const head = (this as unknown as { readonly _header: string | null })._header ?? ""
    const body = typeof given[0] === "string" || given[0] instanceof Uint8Array ? given[0] : ""
    const text = `${head}${body.length > largest ? "" : Buffer.from(body).toString("latin1")}\n`
    if (isPageOfDev(req.url)) recordShown(text)
    else if (!known.has(text)) recordSaid(`an answer with status ${statusCode}`, text)
    known.add(text)
  }
  return result
} as typeof end

/** The one page that shows the curl lines that `dev` prints. */
function isPageOfDev(url: string | undefined): boolean {
  return isFlagstone && args[0] === "dev" && url === "/commands"
}

function listenTo(stream: NodeJS.WriteStream, note: (text: string) => void): void {
  const write = stream.write
  stream.write = ((...given: Parameters<typeof write>) => {
    note(Buffer.from(given[0] as string | Uint8Array).toString())
    return Reflect.apply(write, stream, given)
  }) as typeof write
}
