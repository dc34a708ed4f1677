import { setFlagsFromString } from "node:v8"

/**
 * Keeps V8 from guessing which objects will live long (its allocation-site pretenuring), for the rest of the process:
 * nothing a caller sees changes. In one of ten large builds it guesses that the trees of flag files will, and then
 * keeps 150 MB of dead ones and takes a third longer.
 */
export function expectShortLivedTrees(): void {
  setFlagsFromString("--no-allocation-site-pretenuring")
}
