import { didYouMean, list, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"

/** The requested environment, or the only one. Throws `Failure` if none has that name. `place`: where, such as ` in HEAD~2`. */
export function chooseEnvironment(asked: string | undefined, names: readonly string[], place = ""): string {
  const [only, ...others] = names
  if (asked === undefined) {
    if (only !== undefined && others.length === 0) return only
    throw new Failure(`name the environment with --environment, one of ${list(names)}`)
  }
  if (!names.includes(asked))
    throw new Failure(`no environment ${quoted(asked)}${place}${didYouMean(asked, names)}`)
  return asked
}
