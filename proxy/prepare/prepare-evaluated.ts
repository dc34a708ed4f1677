import { compileEvaluations } from "../evaluate/compile-evaluations.ts"
import { prepareSnapshot } from "./prepare.ts"
import type { PrepareSnapshot } from "./prepared-snapshot.ts"

/** Prepares snapshots for serving and for evaluating. `monotonicNow` gives milliseconds. */
export function createEvaluatedPreparation(monotonicNow: () => number): PrepareSnapshot {
  return async (bytes, environment, signal) => {
    const snapshot = await prepareSnapshot(bytes, environment, signal)
    if (snapshot.kind === "invalid") return snapshot
    const evaluations = await compileEvaluations(snapshot.value, monotonicNow, signal)
    return { kind: "valid", value: { ...snapshot.value, evaluations } }
  }
}
