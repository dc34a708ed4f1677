import { spawn } from "node:child_process"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createMessageConnection } from "vscode-jsonrpc/node"

// The YAML language server that editors run, over its own protocol (LSP 3.17).

interface Location {
  readonly line: number
  readonly character: number
}

/** The server's diagnostics of a file. */
export interface Found {
  readonly uri: string
  readonly diagnostics: readonly {
    readonly message: string
    readonly severity: number
    readonly range: { start: Location }
  }[]
}

/** The server's completions at a place. */
export interface Completion {
  readonly label: string
  readonly insertText?: string
  readonly textEdit?: { readonly newText: string }
  readonly documentation?: string | { readonly value: string }
}

/** A running server, whose workspace is a folder. The one `|` in a text marks the position and is not part of it. */
export interface LanguageServer {
  /** Opens a new file in `flags/` as an editor does, and resolves with the server's diagnostics. */
  readonly open: (text: string) => Promise<Found>
  readonly complete: (textWithCursor: string) => Promise<readonly Completion[]>
  /** The markdown that is shown at a place; `""` where there is none. */
  readonly hover: (textWithCursor: string) => Promise<string>
  readonly stop: () => Promise<void>
}

const root = resolve(import.meta.dirname, "../../..")

/** Starts a separate server. The schema store, which is on the network, is off. */
export async function startLanguageServer(cwd: string): Promise<LanguageServer> {
  const server = spawn(
    process.execPath,
    [join(root, "node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"],
    { stdio: ["pipe", "pipe", "inherit"] },
  )
  const connection = createMessageConnection(server.stdout, server.stdin)
  const published = new Map<string, (found: Found) => void>()
  // The server asks for its settings.
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } }
  connection.onRequest("workspace/configuration", ({ items }: { items: { section: string }[] }) =>
    items.map(({ section }) => (section === "yaml" ? yaml : {})),
  )
  connection.onRequest("client/registerCapability", () => null)
  connection.onNotification("textDocument/publishDiagnostics", (found: Found) =>
    published.get(found.uri)?.(found),
  )
  connection.listen()
  const rootUri = pathToFileURL(cwd).href
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "shop" }],
    capabilities: {
      workspace: { configuration: true },
      textDocument: {
        hover: { contentFormat: ["markdown"] },
        completion: { completionItem: { documentationFormat: ["markdown"] } },
        publishDiagnostics: {},
      },
    },
  })
  await connection.sendNotification("initialized", {})
  await connection.sendNotification("workspace/didChangeConfiguration", { settings: { yaml } })

  let opened = 0
  async function open(text: string): Promise<Found> {
    const uri = pathToFileURL(join(cwd, "flags", `opened-${opened++}.yaml`)).href
    const found = new Promise<Found>((done) => published.set(uri, done))
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    })
    return await found
  }
  async function at(textWithCursor: string) {
    const { uri } = await open(textWithCursor.replace("|", ""))
    const before = textWithCursor.slice(0, textWithCursor.indexOf("|")).split("\n")
    return {
      textDocument: { uri },
      position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
    }
  }
  return {
    open,
    async complete(textWithCursor) {
      const list = await connection.sendRequest<{ items: Completion[] }>(
        "textDocument/completion",
        await at(textWithCursor),
      )
      return list.items
    },
    async hover(textWithCursor) {
      const found = await connection.sendRequest<{ contents: { value: string } } | null>(
        "textDocument/hover",
        await at(textWithCursor),
      )
      return found?.contents.value ?? ""
    },
    async stop() {
      await connection.sendRequest("shutdown")
      await connection.sendNotification("exit")
      connection.dispose()
      server.kill()
    },
  }
}

/** The text shown for a completion, by its label; `""` if it has none, or there is no such completion. */
export function documentationOf(items: readonly Completion[], label: string): string {
  const documentation = items.find((item) => item.label === label)?.documentation ?? ""
  return typeof documentation === "string" ? documentation : documentation.value
}
