import { describe, expect, test } from "vitest"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { sideOf } from "../sides.ts"
import { compared, everyone, hostile, printed, sideWith } from "./compared.ts"

test.each(hostile.map((text) => [text]))("%j drives nothing in a terminal", (text) => {
  const plain = sideOf({ f: { type: "string", defaultValue: "", description: "" } })
  const shown = printed.text(compared(sideWith(text), plain))
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u)
})

describe("one line is enough for", () => {
  const changes = (...sides: readonly [Side, Side]) =>
    printed
      .text(compared(...sides))
      .split("\n")
      .filter((line) => line.startsWith("  "))
  const configured = { enabled: true, rules: [everyone] }
  const flags = (environment: string) =>
    Object.fromEntries(
      ["a", "b", "c"].map((key) => [
        key,
        { defaultValue: false, environments: { [environment]: configured } },
      ]),
    )

  test("a renamed environment", () => {
    const side = (name: string) => sideOf(flags(name), `project: shop\nenvironments: [staging, ${name}]\n`)
    expect(changes(side("production"), side("live"))).toEqual([
      "  production: environment renamed to `live`",
      "    clients of `production` no longer get any flags",
    ])
  })

  test("a renamed project", () => {
    const side = (name: string) =>
      sideOf(flags("production"), `project: ${name}\nenvironments: [production]\n`)
    expect(changes(side("shop"), side("store"))).toContain(
      "  the project: project file, name: `shop` → `store`",
    )
    expect(printed.text(compared(side("shop"), side("store")))).not.toMatch(/\bids?: /)
  })

  test("an environment that becomes like others: the nearest before it is named", () => {
    const rules = [{ attribute: "country", operator: "equals", value: "DE", returnValue: true }, everyone]
    const side = (production: readonly object[]) =>
      sideOf({
        f: {
          defaultValue: false,
          environments: {
            development: { enabled: true, rules },
            staging: { enabled: true, rules },
            production: { enabled: true, rules: production },
          },
        },
      })
    expect(changes(side([]), side(rules)).slice(1, 3)).toEqual([
      "    `true` instead of `false` for everyone",
      "    as in `staging` now",
    ])
  })
})

test("a share of a split whose users keep their value is not a separate change", () => {
  const side = (value: readonly string[]) =>
    sideOf({
      f: {
        type: "string",
        defaultValue: "a",
        environments: {
          production: {
            enabled: true,
            rules: [
              {
                attribute: "country",
                operator: "in",
                value,
                split: {
                  by: "id",
                  into: [
                    { share: 50, returnValue: "a" },
                    { share: 50, returnValue: "b" },
                  ],
                },
              },
            ],
          },
        },
      },
    })
  const text = printed.text(compared(side(["DE"]), side(["DE", "AT"])))
  expect(text).toContain('    `"b"` instead of `"a"` for 50 % of users in `AT`, by `id`')
  expect(text).not.toMatch(/without effect|no effect|no one's value/)
})

test("nor is that of a split that is removed, but that of a split elsewhere is", () => {
  const side = (shares: readonly number[]) => {
    const split = { by: "id", into: shares.map((share, at) => ({ share, returnValue: `${at}` })) }
    const rules = shares.length === 0 ? [] : [{ split }]
    const flag = { type: "string", defaultValue: "0", environments: { production: { enabled: true, rules } } }
    const off = (into: number) => {
      const arms = [into, 100 - into].map((share, at) => ({ share, returnValue: `${at}` }))
      const environment = { enabled: false, rules: [{ split: { by: "id", into: arms } }] }
      return { type: "string", defaultValue: "0", environments: { production: environment } }
    }
    return sideOf({ f: flag, g: off(shares.length === 0 ? 10 : 20) })
  }
  const text = printed.text(compared(side([50, 50]), side([])))
  expect(text.slice(text.indexOf("no effect on values"))).toBe(
    "no effect on values\n  g in production: rule 1 edited: shares\n    the flag is disabled in `production`\n",
  )
})
