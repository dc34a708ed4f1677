import { compileEvaluations } from "../evaluate/compile-evaluations.ts"
import { prepareSnapshot } from "./prepare.ts"
import type { PrepareSnapshot } from "./prepared-snapshot.ts"

/** Prepares a snapshot for serving and for evaluating. */
export const prepareEvaluatedSnapshot: PrepareSnapshot = async (bytes, environment, signal) => {
  const snapshot = await prepareSnapshot(bytes, environment, signal)
  if (snapshot.kind === "invalid") return snapshot
  const evaluations = await compileEvaluations(snapshot.value.entries(), signal)
  return { kind: "valid", value: { ...snapshot.value, evaluations } }
}
