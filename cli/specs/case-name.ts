import { rangeOfLocation } from "../diagnostics/location.ts"
import type { SpecCase } from "./spec.ts"

/** What a case is called in reports: its name, or its line. */
export function caseName({ name, location }: SpecCase): string {
  return name ?? `line ${rangeOfLocation(location).line}`
}
