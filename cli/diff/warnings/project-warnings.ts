import { createReport, type Diagnostic, type Span, wholeFile } from "../../diagnostics/diagnostic.ts"
import { messageOf, phrase } from "../../diagnostics/phrase.ts"
import { memberOf, type Node, toValue } from "../../language/tree.ts"
import type { Project } from "../../reading/project.ts"
import { parseSource } from "../../yaml/parse.ts"
import type { Scope } from "../changes/change.ts"
import type { RenamedEnvironments } from "../sides/renamed-environments.ts"
import type { Side } from "../sides/side.ts"

/** What only a diff can find in the project file. */
export function projectWarnings(
  before: Side,
  after: Side,
  renamed: RenamedEnvironments,
  scope: Scope,
): readonly Diagnostic[] {
  const report = createReport()
  const [old, now] = [before.project, after.project]
  if (old === undefined || now === undefined) return []
  if (old.name !== now.name)
    report.add({
      code: "project-renamed",
      ...messageOf(
        phrase`The project was ${old.name} and is now ${now.name}: the ids of its flags and configurations change. Keep the old name if anything depends on those ids.`,
      ),
      source: now.source,
      span: spanOf(now, "project"),
    })
  for (const name of old.protected.filter(scope)) {
    if (!has(now, name)) {
      const newName = [...renamed.keys()].find((one) => renamed.get(one) === name)
      const how =
        newName === undefined ? phrase`is gone: clients that` : phrase`is now ${newName}. Clients that still`
      report.add({
        code: "protected-environment-removed",
        ...messageOf(
          phrase`${name} was protected and ${how} ask for ${name} no longer get flags. Keep it until no client asks for it.`,
        ),
        source: old.source,
        span: spanOf(old, "environments", name),
      })
    } else if (!now.protected.includes(name))
      report.add({
        code: "protection-removed",
        ...messageOf(
          phrase`${name} is no longer protected: from the next change on, it gets fewer warnings. Check that this is intended.`,
        ),
        source: now.source,
        span: spanOf(now, "protected"),
      })
  }
  return report.diagnostics
}

function has({ environments }: Project, name: string): boolean {
  return environments.some((one) => one.name === name)
}

/** Where a member of the project file is; with a name, the item of its list that has this name. */
function spanOf({ source }: Project, member: string, name?: string): Span {
  const root = parseSource(source, createReport())?.root
  const value = root?.kind === "mapping" ? memberOf(root, member)?.value : undefined
  const item = value?.kind === "sequence" ? value.items.find((one) => nameOf(one) === name) : undefined
  return item ?? value ?? wholeFile
}

function nameOf(node: Node): unknown {
  return toValue((node.kind === "mapping" ? memberOf(node, "name")?.value : undefined) ?? node)
}
