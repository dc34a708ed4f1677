// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { diffSides } from "../../../cli/diff/diff.ts"
import type { Side } from "../../../cli/diff/sides/side.ts"
import { gateCodes } from "../../../cli/diff/warnings/gate-warning.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { violationsOf } from "../../../cli/invariants/violations.ts"
import { openSources } from "../../../cli/project/open-project.ts"
import { type Project, parseProject } from "../../../cli/reading/project.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { createShares } from "../../../sdk/evaluation/share.ts"
import { runs } from "../../runs.ts"
import { documentsOf, sideOf } from "./sides.ts"

const compileExpression = await loadExpressions()
const project = "project: shop\nenvironments: [production]\nprotected: [production]\nclock: now\n"
const start = Date.UTC(2026, 11, 1, 9)
const hour = 3_600_000

/** Hours after the start, to which a stage's share of users begins. */
interface Stage {
  readonly hours: number
  readonly share: number
}

/** A share that is there from the beginning has its only stage at -100. */
interface Ramp {
  readonly from: number
  readonly stages: readonly Stage[]
}

const ascending = (min: number, max: number, size: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: size, maxLength: size })
    .map((all) => all.toSorted((a, b) => a - b))
const ramp = fc.tuple(fc.constantFrom(0, 0, 10, 50), fc.integer({ min: 2, max: 5 })).chain(([from, size]) =>
  fc.tuple(ascending(-5, 20, size), ascending(1, 100 - from, size)).map(
    ([hours, shares]): Ramp => ({
      from,
      stages: hours.map((hour, at) => ({ hours: hour, share: shares[at] ?? 100 })),
    }),
  ),
)
const share = fc
  .integer({ min: 1, max: 100 })
  .map((to): Ramp => ({ from: 0, stages: [{ hours: -100, share: to }] }))

const earlierIfFirst = (stage: Stage, at: number) => (at === 0 ? { ...stage, hours: stage.hours - 1 } : stage)

/** One moment has several notations. */
const momentAt = (hours: number) => {
  const text = new Date(start + hours * hour).toISOString()
  return hours % 2 === 0 ? text : text.replace("Z", "+00:00")
}

function ruleOf({ from, stages }: Ramp) {
  const [only, another] = stages
  if (another === undefined) return { share: { by: "id", to: only?.share, seed: "s" } }
  const written = stages.map(({ hours, share }) => ({ at: momentAt(hours), share }))
  return { ramp: { by: "id", from, seed: "s", stages: written } }
}

/** A flag without a rule. */
const none: Ramp = { from: 0, stages: [] }
const flagWith = (one: Ramp) => {
  const rules = one.stages.length === 0 ? [] : [{ ...ruleOf(one), returnValue: true }]
  return { defaultValue: false, environments: { production: { enabled: true, rules } } }
}
const sideWith = (one: Ramp) => sideOf({ f: flagWith(one) }, project)

/** Where the users begin and end who have the value, in percent. */
function rangeAt({ from, stages }: Ramp, hours: number): readonly [number, number] {
  const begun = stages.findLast((stage) => stage.hours <= hours)
  return begun === undefined ? [from, from] : [from, from + begun.share]
}

describe("a ramp", () => {
  test("gives each user the value when a stage begins that has the user's place, and never takes it away", async () => {
    const placeOf = createShares()("s")
    await fc.assert(
      fc.asyncProperty(
        ramp,
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
        fc.array(
          fc.integer({ min: -420, max: 1_320 }).map((minutes) => minutes / 60),
          { minLength: 3, maxLength: 8 },
        ),
        async (one, ids, moments) => {
          const entries = documentsOf(sideWith(one)).production?.flags as readonly FlagEntry[]
          const { evaluate } = await compileEntries(entries)
          for (const id of ids) {
            const place = (placeOf(id) / 2 ** 32) * 100
            let had = false
            for (const at of [...moments, ...one.stages.map(({ hours }) => hours)].toSorted(
              (a, b) => a - b,
            )) {
              const [from, to] = rangeAt(one, at)
              const has = from <= place && place < to
              expect(evaluate("f", { id, now: new Date(start + Math.round(at * hour)) })).toMatchObject({
                value: has,
              })
              expect(had && !has).toBe(false)
              had = has
            }
            expect(evaluate("f", { id })).toMatchObject({ value: false })
          }
        },
      ),
      { numRuns: runs(600) }, // 20,000 ramps and moments in the slow half
    )
  })

  test("breaks an invariant if it does at a moment, with a context that shows it", async () => {
    const given = parseProject({ path: "/flags/project.yaml", text: project }, "/flags", createReport())
    const told =
      "- { name: one, atMostOne: [{ flag: f }, { flag: g }] }\n- { name: with, if: { flag: f }, then: { flag: g } }\n"
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(ramp, ramp, async (f, g) => {
        const files = [
          ...Object.entries({ f, g }).map(
            ([key, one]) => [`${key}.yaml`, JSON.stringify(flagWith(one))] as const,
          ),
          ["invariants.yaml", told] as const,
        ]
        const sources = files.map(([name, text]) => ({ path: `/flags/${name}`, text }))
        const opened = await openSources(given as Project, sources, createReport())
        const found = violationsOf({ ...opened, attributes: given?.attributes, compileExpression })
        const moments = [...f.stages, ...g.stages].map(
          ({ hours }) => [rangeAt(f, hours), rangeAt(g, hours)] as const,
        )
        const broken = [
          ...(moments.some(([[a, b], [c, d]]) => Math.max(a, c) < Math.min(b, d)) ? ["one"] : []),
          ...(moments.some(([[a, b], [c, d]]) => a < b && (c > a || d < b)) ? ["with"] : []),
        ]
        expect(found.map(({ invariant }) => invariant.name.text)).toEqual(broken)
        const { evaluate } = await compileEntries(
          opened.flags.map((flag) => timelessEntry(flag, "production")),
        )
        for (const { invariant, witness } of found) {
          const values = ["f", "g"].map((key) => evaluate(key, witness as Context))
          const expected = invariant.name.text === "one" ? [true, true] : [true, false]
          expect(values).toMatchObject(expected.map((value) => ({ value })))
        }
        for (const name of broken) seen.add(name)
      }),
      { numRuns: runs(300) },
    )
    expect([...seen].toSorted()).toEqual(["one", "with"])
  })

  test("is judged at each moment from now on like an edit of its own", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        fc.oneof(ramp, ramp, share, share, fc.constant(none)),
        fc.option(fc.oneof(ramp, share)),
        fc.integer({ min: -8, max: 22 }),
        (a, other, now) => {
          const b = other ?? { ...a, stages: a.stages.map(earlierIfFirst) }
          const settings = { compileExpression, now: start + now * hour }
          const { changes, warnings } = diffSides(sideWith(a), sideWith(b), settings)
          const later = [...a.stages, ...b.stages].map(({ hours }) => hours).filter((hours) => hours > now)
          const moves = [now, ...later].map((hours) => {
            const [[fromA, toA], [fromB, toB]] = [rangeAt(a, hours), rangeAt(b, hours)]
            const kept = Math.max(0, Math.min(toA, toB) - Math.max(fromA, fromB))
            return { at: start + hours * hour, lost: toA - fromA - kept, gained: toB - fromB - kept }
          })
          const moveAt = (moment: number) => moves.find(({ at }) => at === moment)
          const isRed = moves.some(({ lost, gained }) => lost > 0 || gained >= 50)
          const withoutTime = [a, b].map(({ stages: [only, another] }) => (another ? 0 : (only?.share ?? 0)))
          const isSaid =
            moves.some(({ lost, gained }) => lost + gained > 0) || withoutTime[0] !== withoutTime[1]
          expect(changes.some(({ effects }) => effects.length > 0)).toBe(isSaid)
          expect(warnings.some(({ code }) => gateCodes.some((one) => one === code))).toBe(isRed)
          // Each is said of a moment at which it is true, and nothing that happens at a moment is left out.
          for (const { code, message } of warnings) {
            const [, day, time] = /from (\S+) (\S+) UTC/.exec(message) ?? []
            const { lost = 0, gained = 0 } = moveAt(day ? Date.parse(`${day}T${time}Z`) : settings.now) ?? {}
            if (code === "users-lose") expect(lost).toBeGreaterThan(0)
            if (code === "many-change") expect(lost + gained).toBeGreaterThanOrEqual(50)
          }
          const times = changes.flatMap(({ effects }) => effects.flatMap(({ time }) => time ?? []))
          for (const { at, lost, gained } of moves) {
            const { until = Infinity } = times.findLast(({ from }) => from <= at) ?? { until: at }
            if (times.length > 0) expect(at < until).toBe(lost + gained > 0)
          }
          // A ramp where no rule was has one sentence, with its calendar from now on.
          if (a === none && b.stages.length > 1) {
            const [said = "", ...more] = changes.flatMap(({ effects }) =>
              effects.map(({ who }) => plainPhrase(who)),
            )
            const stages = [...said.matchAll(/(\d+) % (?:now|from `(.+?)`)/g)].map(([, percent, at = ""]) => [
              Number(percent),
              at,
            ])
            const current = b.stages.findLastIndex(({ hours }) => hours <= now)
            const expected = b.stages
              .slice(Math.max(current, 0))
              .map((stage) => [stage.share, stage.hours <= now ? "" : momentAt(stage.hours)])
            expect([more, stages]).toEqual([[], expected])
            seen.add("calendar")
          }
          seen.add(`${times.some(({ from }) => from > settings.now)} later`)
          seen.add(`${isSaid} ${isRed}`)
        },
      ),
      { numRuns: runs(300) },
    )
    expect([...seen].toSorted()).toEqual([
      ...["calendar", "false false", "false later", "true false", "true later", "true true"],
    ])
  })

  test("takes the value from everyone who has it when the clock is renamed", () => {
    const grown = flagWith({ from: 0, stages: [5, 100].map((share, hours) => ({ hours, share })) })
    const sides = ["now", "time"].map((clock) => sideOf({ f: grown }, project.replace("now", clock)))
    const settings = { compileExpression, now: start + 5 * hour }
    const { warnings } = diffSides(sides[0] as Side, sides[1] as Side, settings)
    expect(warnings.map(({ code }) => code)).toEqual(["users-lose"])
  })
})
