import { rangeOfLocation } from "../diagnostics/location.ts"
import type { SpecCase } from "./spec.ts"

/** A case's name in reports: its own, or its line. */
export function caseName({ name, location }: SpecCase): string {
  return name ?? `line ${rangeOfLocation(location).line}`
}
