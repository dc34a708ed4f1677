import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { plainPhrase } from "../../diagnostics/phrase.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { compareFlag } from "../../diff/effects/compared-flag.ts"
import { pairFlags } from "../../diff/sides/pair-flags.ts"
import type { Flag } from "../../language/flag.ts"
import type { Project } from "../../reading/project.ts"
import type { DescribedChange } from "./described-commit.ts"

/** The flags that a commit touched, before and after it. */
export interface TouchedFlags {
  readonly before: readonly Flag[]
  readonly after: readonly Flag[]
}

/** Describes what a commit changes about its flags in `diff`'s sentences, by key. Only changes in meaning count. */
export function describeChanges(
  { before, after }: TouchedFlags,
  project: Pick<Project, "name" | "environments">,
  compileExpression: CompileExpression,
): readonly DescribedChange[] {
  const environments = project.environments.map(({ name }) => name)
  const changes = pairFlags({ project, flags: before }, { project, flags: after }).flatMap((pair) =>
    flagChanges(
      compareFlag(pair, { shared: environments }, compileExpression),
      environments,
      compileExpression,
    ),
  )
  return describeFlagChanges(changes)
}

/** Describes the changes of a diff that are about a flag. The arms of a split, which change one by one, are one edit. */
export function describeFlagChanges(changes: readonly Change[]): readonly DescribedChange[] {
  const described = changes.filter((change) => "flag" in change).map(describe)
  const edits = Map.groupBy(described, ({ who: _, what, ...edit }) =>
    JSON.stringify([plainPhrase(what), edit]),
  )
  return [...edits.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const who = [first, ...others].flatMap((change) => change.who)
    return { ...first, who: [...new Map(who.map((one) => [JSON.stringify(one), one])).values()] }
  })
}

function describe(change: Extract<Change, { readonly flag: string }>): DescribedChange {
  const who = change.effects.map(({ environment, who }) => ({ environment, sentence: who }))
  return {
    kind: kinds[change.kind] ?? "changed",
    flag: change.flag,
    ...(change.kind === "flag-renamed" && { from: change.from }),
    ...("environment" in change && { environment: change.environment }),
    what: describeChange(change),
    who: change.reason === undefined ? who : [...who, { sentence: change.reason }],
  }
}

const kinds: Readonly<Partial<Record<Change["kind"], DescribedChange["kind"]>>> = {
  "flag-added": "added",
  "flag-removed": "removed",
  "flag-renamed": "renamed",
}
