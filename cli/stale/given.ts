import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { everything } from "../conditions/context-set.ts"
import { sharesIn } from "../conditions/share-range.ts"
import { valueChanges } from "../conditions/value-changes.ts"
import { outcomesOf } from "../flag/outcomes.ts"
import type { Flag } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"
import type { GivenSince } from "./assess.ts"

/** What a flag gives in each environment of its project, in the project's order. Values are canonical JSON. */
export function givenByFlag(
  flag: Flag,
  { environments, protected: guarded }: Pick<Project, "environments" | "protected">,
  compileExpression: CompileExpression,
): readonly Omit<GivenSince<string>, "changedAt">[] {
  return environments.map(({ name }) => ({
    environment: name,
    isProtected: guarded.includes(name),
    ...givenIn(flag, name, compileExpression),
  }))
}

/** What a flag gives in an environment. That everyone gets one value is proven: if in doubt, there are several. */
export function givenIn(
  flag: Flag,
  environment: string,
  compileExpression: CompileExpression,
): Pick<GivenSince<string>, "isEnabled" | "only" | "isShared"> {
  const outcomes = outcomesOf(flag, environment, compileExpression)
  const { changes, possible, isCutShort } = valueChanges([{ contexts: everything, value: "" }], outcomes)
  const [only, ...others] = new Set([...changes, ...possible].map(({ after }) => outcomes[after]?.value))
  return {
    isEnabled: flag.configurations.get(environment)?.enabled === true,
    only: others.length === 0 && !isCutShort ? only : undefined,
    isShared: outcomes.some(({ condition }) => sharesIn(condition).length > 0),
  }
}
