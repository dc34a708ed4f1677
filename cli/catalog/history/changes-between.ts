import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { type EffectsOfNew, flagChanges } from "../../diff/changes/flag-changes.ts"
import { pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import type { FlagChange } from "./catalog-history.ts"

/** The flags that a commit touched, on both sides of it. */
export interface Sides {
  readonly before: readonly ResolvedFlag[]
  readonly after: readonly ResolvedFlag[]
}

/** Says what a commit changed about its flags in the environments of these names. Equal meanings give nothing. No places are looked at, so flags may lack them. */
export function changesBetween(
  { before, after }: Sides,
  project: Pick<Project, "name">,
  names: readonly string[],
  compileExpression: CompileExpression,
  effectsOfNew: EffectsOfNew,
): readonly FlagChange[] {
  return pairFlags({ project, flags: before }, { project, flags: after })
    .flatMap((pair) =>
      flagChanges(compareFlag(pair, names, compileExpression), names, compileExpression, effectsOfNew),
    )
    .flatMap((change) => ("flag" in change ? [changeOf(change)] : []))
}

function changeOf(change: Extract<Change, { readonly flag: string }>): FlagChange {
  const said = change.effects.map(({ environment, who }) => ({ environment, sentence: who }))
  return {
    flag: change.flag,
    kind: kinds[change.kind] ?? "changed",
    ...(change.kind === "flag-renamed" && { from: change.from }),
    ...("environment" in change && { environment: change.environment }),
    what: describeChange(change),
    who: change.reason === undefined ? said : [...said, { sentence: change.reason }],
  }
}

const kinds: Readonly<Partial<Record<Change["kind"], FlagChange["kind"]>>> = {
  "flag-added": "added",
  "flag-removed": "removed",
  "flag-renamed": "renamed",
}
