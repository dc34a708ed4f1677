import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type Ingredients, twinsOf } from "./contexts.ts"
import type { LossCode } from "./form/losses.ts"
import type { Sides } from "./sides.ts"

/**
 * The cause of a difference: an attribute's type, preferably of one that is known or of the one that was changed; else a
 * missing attribute; else a defect of the import.
 */
export function explain(
  context: Context,
  changed: string,
  { theirs, ours }: Sides,
  from: Pick<Ingredients, "attributes" | "operands" | "isTextual"> & { readonly known: ReadonlySet<string> },
): readonly [LossCode, string] {
  const agree = (other: Context) => {
    const value = theirs(other)
    return value !== undefined && value === ours(other)
  }
  const twins = (name: string) =>
    twinsOf(context[name]).map((twin) => (twin === undefined || !from.isTextual ? twin : String(twin)))
  const mistyped = (...names: readonly string[]) =>
    ["import-context-mistyped", `an unexpected \`${names.join("`, `")}\`, such as`] as const
  const names = Object.keys(context).sort((a, b) => Number(b === changed) - Number(a === changed))
  // Leaving an attribute out changes more than writing it with another type.
  const causes = [false, true].flatMap((isGone) =>
    names.filter((name) =>
      twins(name)
        .filter((twin) => (twin === undefined && context[name] !== "") === isGone)
        .some((twin) => agree({ ...context, [name]: twin })),
    ),
  )
  const cause = causes.find((name) => from.known.has(mistyped(name).join(" "))) ?? causes[0]
  if (cause !== undefined) return mistyped(cause)
  const otherType = (name: string) => {
    const found = twins(name)
    return found.find((twin) => twin !== undefined && typeof twin !== "string") ?? found[0] ?? context[name]
  }
  if (agree(Object.fromEntries(names.map((name) => [name, otherType(name)])))) return mistyped(...names)
  for (const name of from.attributes.keys())
    if (context[name] === undefined)
      if (["text", ...from.operands].slice(0, 20).some((value) => agree({ ...context, [name]: value })))
        return ["import-context-missing", `no \`${name}\`, such as`]
  return ["import-disproved", "another value for"]
}
