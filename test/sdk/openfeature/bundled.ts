import { rolldown } from "rolldown"

/** A script for a page, with everything that it imports. */
export async function bundled(input: string, format: "iife" | "esm"): Promise<string> {
  const bundle = await rolldown({ input, platform: "browser" })
  const { output } = await bundle.generate({ format })
  await bundle.close()
  return output[0].code
}
