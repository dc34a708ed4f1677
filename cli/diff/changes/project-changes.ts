import { phrase } from "../../diagnostics/phrase.ts"
import type { ProjectDifference } from "../differences/difference.ts"
import { projectDifferences } from "../differences/differences.ts"
import type { RenamedEnvironments } from "../sides/renamed-environments.ts"
import type { Side } from "../sides/side.ts"
import type { Change, Scope } from "./change.ts"
import { type Classification, classified, inNewEnvironment, inNoSnapshot } from "./classification.ts"

/** What changes in the project file, without the environments that are out of scope. */
export function projectChanges(
  { project: before }: Side,
  { project: after }: Side,
  renamed: RenamedEnvironments,
  scope: Scope,
): readonly Change[] {
  const file = (after ?? before)?.source.path ?? ""
  return projectDifferences(before, after, renamed)
    .filter((difference) => !("environment" in difference) || scope(difference.environment))
    .map((difference) => ({ ...difference, ...classify(difference), file, owner: undefined }))
}

function classify(difference: ProjectDifference): Classification {
  const { kind } = difference
  if (kind === "environment-removed") {
    const { environment } = difference
    const who = phrase`clients of ${environment} no longer get any flags`
    return classified([{ environment, who }])
  }
  if (kind === "environment-added") return inNewEnvironment
  if (kind === "environment-changed") return classified([])
  return difference.member === "operators" || difference.member === "protected"
    ? inNoSnapshot
    : classified([])
}
