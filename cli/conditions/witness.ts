import { attributeOf } from "../../sdk/evaluation/attribute.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { Truth } from "../../sdk/evaluation/match-condition.ts"
import { type Answer, found, none, unknown } from "./answer.ts"
import { type ContextSet, complement, intersection, isNothing } from "./context-set.ts"
import { add, agree, findValue, type Literals, type Shapes } from "./value.ts"
import type { Work } from "./work.ts"

/** Which values a search may try, and how many steps it has. */
export interface SearchOptions {
  readonly shapes: Shapes
  readonly work: Work
  /** Gets the literals of each attribute that no value was found for. */
  readonly refused?: Literals[] | undefined
}

/**
 * An intersection of sets, taken apart: what is certain about each attribute, and the unions that are still to be
 * decided. Sets are added one by one, so that a list of rules is not taken apart again for each question about it.
 */
export interface Region {
  readonly attributes: ReadonlyMap<string, AttributeRegion>
  /** The opaque sets that contain it (true) or its complement, by name. */
  readonly opaque: ReadonlyMap<string, Opaque>
  readonly unions: readonly OpenUnion[]
  readonly isEmpty: boolean
}

interface AttributeRegion {
  readonly literals: Literals
  readonly value: Answer<unknown>
}

type Opaque = Extract<ContextSet, { kind: "opaque" }>
/** A union, and the attributes whose absence meets it. */
interface OpenUnion {
  readonly union: Extract<ContextSet, { kind: "any" }>
  readonly metWithout: AttributeBits
}

export const wholeRegion: Region = { attributes: new Map(), opaque: new Map(), unions: [], isEmpty: false }

/** The part of the region that is also in the set. */
export function narrow(region: Region, set: ContextSet, { shapes, work, refused }: SearchOptions): Region {
  if (region.isEmpty) return region
  work.spend(8 + region.attributes.size)
  const attributes = new Map(region.attributes)
  const literals = new Map<string, Literals>()
  let { opaque, unions } = region
  const isConsistent = flatten(set, (one) => {
    if (one.kind === "any") {
      work.spend(unions.length >> 6)
      unions = [...unions, { union: one, metWithout: metWithout(one.parts) }]
      return !isNothing(one)
    }
    if (one.kind === "opaque") {
      if (opaque.get(one.name)?.holds === !one.holds) return false
      opaque = new Map(opaque).set(one.name, one)
      return true
    }
    if (one.kind === "all") return true
    const { attribute } = one.predicate
    const rest = literals.get(attribute) ?? attributes.get(attribute)?.literals
    literals.set(attribute, add(one, rest))
    return true
  })
  if (!isConsistent) return { ...region, isEmpty: true }
  for (const [attribute, own] of literals) {
    const before = attributes.get(attribute)
    const stays = before?.value.kind === "found" && agree(own, before.value.value, work, before.literals)
    const value = stays ? before.value : findValue(own, shapes, work)
    if (value.kind === "none") {
      refused?.push(own)
      return { ...region, isEmpty: true }
    }
    attributes.set(attribute, { literals: own, value })
  }
  return { attributes, opaque, unions, isEmpty: false }
}

/** Visits the parts of nested intersections; returns false as soon as a visit does. */
function flatten(set: ContextSet, visit: (set: ContextSet) => boolean): boolean {
  return set.kind === "all" ? set.parts.every((part) => flatten(part, visit)) : visit(set)
}

/** Finds a context in the region. */
export function findIn(region: Region, options: SearchOptions): Answer<Context> {
  if (region.isEmpty) return none
  if (options.work.isSpent) return unknown("bound")
  const at = missedUnion(region, options.work)
  const missed = region.unions[at]
  if (missed === undefined) {
    const doubt = doubtIn(region)
    return doubt ?? found(contextOf(region))
  }
  options.work.spend(region.unions.length >> 4)
  const rest = { ...region, unions: region.unions.toSpliced(at, 1) }
  let answer: Answer<Context> = none
  let outside: readonly ContextSet[] = []
  // Parts with an opaque set come last: they can give no certain member.
  for (const part of missed.union.parts.toSorted((a, b) => Number(hasOpaque(a)) - Number(hasOpaque(b)))) {
    const one = findIn(narrow(rest, intersection(part, ...outside), options), options)
    if (one.kind === "found") return one
    if (one.kind === "unknown") answer = one
    outside = [...outside, complement(part)]
  }
  return answer
}

/** Finds a context in a set. */
export function findContext(set: ContextSet, options: SearchOptions): Answer<Context> {
  return findIn(narrow(wholeRegion, set, options), options)
}

/** Whether a context is certainly in a set. */
export function isIn(set: ContextSet, context: Context, work: Work): boolean {
  switch (set.kind) {
    case "predicate":
      work.spend(set.predicate.cost / 4)
      return set.predicate.matches(attributeOf(context, set.predicate.attribute)) === set.holds
    case "opaque":
      return false
    case "all":
      return set.parts.every((part) => isIn(part, context, work))
    case "any":
      return set.parts.some((part) => isIn(part, context, work))
  }
}

/** The position of a union that does not certainly contain the values found so far; negative if there is none. */
function missedUnion(region: Region, work: Work): number {
  const absent = ~presentIn(region)
  work.spend(region.unions.length >> 6)
  // Most rules are about attributes that most contexts lack.
  return region.unions.findIndex(
    (one) => (one.metWithout & absent) === 0 && truthIn(one.union, region, work) !== true,
  )
}

/** The attributes that have a value, or may have one. */
function presentIn({ attributes }: Region): AttributeBits {
  let bits = 0
  for (const [name, { value }] of attributes)
    if (value.kind !== "found" || value.value !== undefined) bits |= bitOf(name)
  return bits
}

/** Whether the values found so far are in the set. */
function truthIn(set: ContextSet, region: Region, work: Work): Truth {
  switch (set.kind) {
    case "predicate": {
      work.spend(set.predicate.cost / 4)
      const attribute = region.attributes.get(set.predicate.attribute)
      if (attribute?.value.kind === "unknown") return "unknown"
      const value = attribute?.value.kind === "found" ? attribute.value.value : undefined
      return set.predicate.matches(value) === set.holds
    }
    case "opaque": {
      const known = region.opaque.get(set.name)
      return known === undefined ? "unknown" : known.holds === set.holds
    }
    default: {
      const decisive = set.kind === "any"
      let truth: Truth = !decisive
      for (const part of set.parts) {
        const one = truthIn(part, region, work)
        if (one === decisive) return decisive
        if (one === "unknown") truth = one
      }
      return truth
    }
  }
}

function doubtIn({ attributes, opaque }: Region): Answer<never> | undefined {
  for (const { value } of attributes.values()) if (value.kind === "unknown") return value
  const [first] = opaque.values()
  return first && unknown(first.because)
}

function contextOf({ attributes }: Region): Context {
  const members = [...attributes].flatMap(([name, { value }]) =>
    value.kind === "found" && value.value !== undefined ? [[name, value.value] as const] : [],
  )
  return Object.fromEntries(members)
}

function hasOpaque(set: ContextSet): boolean {
  return set.kind === "opaque" || ((set.kind === "all" || set.kind === "any") && set.parts.some(hasOpaque))
}

/** Attributes as bits of a number. Some share a bit, so only a bit that is not set is certain. */
type AttributeBits = number

function bitOf(attribute: string): AttributeBits {
  let hash = 0
  for (let index = 0; index < attribute.length; index++) hash = (hash * 37 + attribute.charCodeAt(index)) & 31
  return 1 << hash
}

/** The attributes whose absence alone meets a union: one of its parts has every context without the attribute. */
function metWithout(parts: readonly ContextSet[]): AttributeBits {
  let bits = 0
  for (const part of parts)
    if (part.kind === "predicate" && part.predicate.matches(undefined) === part.holds)
      bits |= bitOf(part.predicate.attribute)
  return bits
}
