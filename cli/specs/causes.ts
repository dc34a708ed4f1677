import type { Cause } from "../../sdk/evaluation/evaluation.ts"

/** Every cause that a value can have. */
export const causes = [
  "rule",
  "share",
  "always",
  "default",
  "disabled",
  "unconfigured",
] as const satisfies readonly Cause[]
