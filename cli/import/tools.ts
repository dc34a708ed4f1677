import { list } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Tool } from "./form/tool.ts"
import type { Node } from "./form/tree.ts"

/** The tools that flags are imported from, by the word of the command line. Each is loaded when it is named. */
export const tools = {
  launchdarkly: async () => (await import("./launchdarkly.ts")).launchDarkly,
  unleash: async () => (await import("./unleash.ts")).unleash,
  gitlab: async () => (await import("./gitlab.ts")).gitlab,
  flagd: async () => (await import("./flagd.ts")).flagd,
  goff: async () => (await import("./goff.ts")).goff,
  flipt: async () => (await import("./flipt.ts")).flipt,
} satisfies Record<string, () => Promise<Tool>>

/** Throws `Failure` for another word. */
export function loadTool(name: string): Promise<Tool> {
  if (Object.hasOwn(tools, name)) return tools[name as keyof typeof tools]()
  throw new Failure(`no tool ${name}. Known: ${list(Object.keys(tools))}.`)
}

/** Throws `Failure` where documents are not a tool's, and says whose they are if that is known. */
export async function refuseOthers(tool: Tool, documents: readonly Node[]): Promise<void> {
  for (const root of documents) {
    if (tool.recognizes(root)) continue
    for (const [name, load] of Object.entries(tools)) {
      const other = await load()
      if (other.recognizes(root))
        throw new Failure(
          `${root.file.path} looks like a file of ${other.title}: \`flagstone import ${name}\``,
        )
    }
    throw new Failure(
      `${root.file.path} is no file of ${tool.title} that flags are in: docs/import.md says how to make one`,
    )
  }
}
