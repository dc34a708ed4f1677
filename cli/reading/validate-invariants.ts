import type { Report } from "../diagnostics/diagnostic.ts"
import type { References } from "../language/references.ts"
import type { ParsedFile } from "../language/tree.ts"
import { invariantsFileSchema } from "./grammar/invariants-schema.ts"
import { type DefinedInvariant, toInvariants } from "./invariant.ts"
import type { Project } from "./project.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { checkShape } from "./shape.ts"

/** Checks an invariants file's shape and reads it; `undefined` if its meaning cannot be checked further. */
export function validateInvariants(
  file: ParsedFile,
  project: Project,
  segments: References,
  report: Report,
): readonly DefinedInvariant[] | undefined {
  if (refuseOddTexts(file, report)) return undefined
  if (!checkShape(file, invariantsFileSchema(project), report)) return undefined
  const environments = project.environments.map(({ name }) => name)
  return file.root.kind === "sequence" ? toInvariants(file, environments, segments) : undefined
}
