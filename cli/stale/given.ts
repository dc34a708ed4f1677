import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { everything } from "../conditions/context-set.ts"
import { sharesIn } from "../conditions/share-range.ts"
import { valueChanges } from "../conditions/value-changes.ts"
import { outcomesOf } from "../flag/outcomes.ts"
import { conditionAt, rampsIn } from "../flag/times.ts"
import type { Flag } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"
import type { GivenSince } from "./assess.ts"

/** What a flag gives in each environment of its project, in the project's order. Values are canonical JSON. */
export function givenByFlag(
  flag: Flag,
  { environments, protected: guarded, clock }: Pick<Project, "environments" | "protected" | "clock">,
  compileExpression: CompileExpression,
): readonly Omit<GivenSince<string>, "changedAt">[] {
  return environments.map(({ name }) => ({
    environment: name,
    isProtected: guarded.includes(name),
    ...givenIn(flag, name, compileExpression, clock),
  }))
}

/** What a flag gives in an environment. That everyone gets one value is proven: if in doubt, there are several. */
export function givenIn(
  flag: Flag,
  environment: string,
  compileExpression: CompileExpression,
  clock?: string,
): Pick<GivenSince<string>, "isEnabled" | "only" | "isShared" | "ramps" | "isOver"> {
  const outcomes = outcomesOf(flag, environment, compileExpression)
  const { changes, possible, isCutShort } = valueChanges([{ contexts: everything, value: "" }], outcomes)
  const [only, ...others] = new Set([...changes, ...possible].map(({ after }) => outcomes[after]?.value))
  const ramps = rampsIn(flag, environment)
  const atLast = { attribute: clock ?? "", now: Number.POSITIVE_INFINITY }
  const lastShares = outcomes.flatMap(({ condition }) => sharesIn(conditionAt(condition, atLast)))
  return {
    isEnabled: flag.configurations.get(environment)?.enabled === true,
    only: others.length === 0 && !isCutShort ? only : undefined,
    isShared: outcomes.some(({ condition }) => sharesIn(condition).length > 0),
    ...(ramps.length > 0 && { ramps, isOver: lastShares.every(({ from, to }) => from === 0 && to === 100) }),
  }
}
