import { didYouMean, list } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"

/** The requested environment, or the only one. Throws `Failure` if there is none with that name. */
export function chooseEnvironment(asked: string | undefined, names: readonly string[]): string {
  const [only, ...others] = names
  if (asked === undefined) {
    if (only !== undefined && others.length === 0) return only
    throw new Failure(`name the environment with --environment, one of ${list(names)}`)
  }
  if (!names.includes(asked)) throw new Failure(`no environment \`${asked}\`${didYouMean(asked, names)}`)
  return asked
}
