import type { Configuration, Remark } from "./form/form.ts"
import { collectLosses, isWritable, verdictOf } from "./form/losses.ts"

/**
 * A configuration that is switched off keeps its rules for the day on which somebody switches it on. Where they cannot
 * be expressed they are left out, since nobody gets their values today.
 */
export function dormant(configuration: Configuration, key: string, remarks: Remark[]): Configuration {
  const { node, environment, losses, otherwise } = configuration
  if (isWritable(verdictOf(losses.filter(({ code }) => code !== "import-caller-default"))))
    return configuration
  remarks.push({
    node,
    text: `the rules of \`${key}\`, which is off in ${environment}, cannot be expressed, and are left out`,
  })
  const own = collectLosses()
  if (otherwise.kind === "caller")
    own.losses.push(...losses.filter(({ code }) => code === "import-caller-default"))
  return { ...configuration, guards: [], losses: own.losses }
}
