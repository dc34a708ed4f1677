import type { Json } from "../../sdk/contract/snapshot.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { isAlways, isNever } from "../language/condition.ts"
import type { Configuration, Guard, ImportedFlag, Remark } from "./form/form.ts"
import { isWritable, verdictOf } from "./form/losses.ts"
import { placeOf } from "./form/tree.ts"
import { defaultOf } from "./write-flag.ts"

/** Leaves out rules that change no one's value, with a remark on each. `accepted`: codes of losses. */
export function createOmissions(accepted: readonly string[], remarks: Remark[]) {
  /**
   * A configuration that is off keeps its rules for the day it is switched on. Rules that cannot be expressed are left out,
   * because no one gets their values today.
   */
  function withoutLost(key: string, one: Configuration): Configuration {
    const { node, environment, losses, enabled, otherwise } = one
    const ofDefault = losses.filter(({ code }) => code === "import-caller-default")
    const others = losses.filter(({ code }) => code !== "import-caller-default")
    if (enabled || isWritable(verdictOf(others, accepted))) return one
    const text = "it is off, and its rules are left out: they cannot be expressed or need an answer"
    remarks.push({ node, flag: key, environment, text })
    return { ...one, guards: [], losses: otherwise.kind === "caller" ? ofDefault : [] }
  }

  /** A flag has one default. An environment with a different off value gets a rule for it. */
  function withOff(key: string, usual: Json, one: Configuration): Configuration {
    const { node, environment, enabled, otherwise, guards, meaning } = one
    if (enabled || otherwise.kind === "caller" || sameValue(otherwise.value, usual)) return one
    if (guards.length > 0) {
      const text = "it is off, and its rules are left out: its off value differs between environments"
      const detail = phrase`${JSON.stringify(otherwise.value)} instead of ${JSON.stringify(usual)}`
      remarks.push({ node, flag: key, environment, text, detail })
    }
    return { ...one, enabled: true, guards: [], meaning: (from, bucket) => meaning(from, bucket, false) }
  }

  /** Leaves out rules that match no one, and those after a rule that matches everyone. */
  function withoutShadowed(key: string, all: Configuration): Configuration {
    for (const guard of all.guards.filter(({ when }) => isNever(when))) {
      const { pointer } = placeOf(guard.node)
      const isLost = all.losses.some(({ place }) => place.pointer.startsWith(pointer))
      if (!isLost) leaveOut(key, all, guard, "a rule that matches no one is left out")
    }
    const one = { ...all, guards: all.guards.filter(({ when }) => !isNever(when)) }
    const at = one.guards.findIndex(({ when, gives }) => isAlways(when) && gives.kind !== "split")
    const last = one.guards[at]
    if (last === undefined || last.gives.kind === "split") return one
    for (const guard of one.guards.slice(at + 1))
      leaveOut(key, all, guard, "a rule after one that matches everyone is left out")
    return one.enabled
      ? { ...one, guards: one.guards.slice(0, at), otherwise: last.gives }
      : { ...one, guards: one.guards.slice(0, at + 1) }
  }

  /** Leaves out trailing rules that return what everyone else gets, unless the whole configuration returns the default. */
  function withoutIdle(flag: ImportedFlag): ImportedFlag {
    const usual = defaultOf(flag)
    const configurations = flag.configurations.map((one) => {
      const { enabled, guards, otherwise } = one
      const isUsual = [otherwise, ...guards.map(({ gives }) => gives)].every((gives) => isSame(gives, usual))
      if (!enabled || isUsual || otherwise.kind === "caller") return one
      const { value } = otherwise
      const end = 1 + guards.findLastIndex(({ gives }) => !isSame(gives, value))
      for (const guard of guards.slice(end))
        leaveOut(flag.key, one, guard, "a rule that changes nothing is left out")
      return { ...one, guards: guards.slice(0, end) }
    })
    return { ...flag, configurations }
  }

  function leaveOut(flag: string, one: Configuration, { node, isImplied }: Guard, text: string): void {
    const { environment, losses } = one
    if (isWritable(verdictOf(losses, accepted)) && isImplied !== true)
      remarks.push({ node, flag, environment, text })
  }

  return { withoutLost, withOff, withoutShadowed, withoutIdle }
}

function isSame(gives: Guard["gives"], value: Json): boolean {
  return gives.kind === "value" && sameValue(gives.value, value)
}
