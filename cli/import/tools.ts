import { didYouMean } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Tool } from "./form/tool.ts"

/** The tools, by their names on the command line. */
export const tools = {
  launchdarkly: async () => (await import("./launchdarkly.ts")).launchDarkly,
  unleash: async () => (await import("./unleash.ts")).unleash,
  flagd: async () => (await import("./flagd.ts")).flagd,
  goff: async () => (await import("./goff.ts")).goff,
  flipt: async () => (await import("./flipt.ts")).flipt,
} satisfies Record<string, () => Promise<Tool>>

/** Throws `Failure` for an unknown name. */
export function loadTool(name: string): Promise<Tool> {
  if (Object.hasOwn(tools, name)) return tools[name as keyof typeof tools]()
  throw new Failure(`unknown tool ${name}${didYouMean(name, Object.keys(tools))}`)
}
