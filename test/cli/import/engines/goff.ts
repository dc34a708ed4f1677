import { askProgram, type Comparison, type Engine, installFromGo } from "./engine.ts"

export const goff: Engine = {
  tool: "goff",
  install: () => installFromGo("goff", "github.com/thomaspoignant/go-feature-flag", "v1.55.2"),
  ask: async (file, asks) => askProgram("goff", file, asks),
  operators: ["eq", "ne", "sw", "ew", "co", "in", "lt", "gt", "le", "ge"],
  fileOf: (flags) =>
    Object.fromEntries(
      flags.map(([key, comparisons]) => [
        key,
        {
          ...{ variations: { on: true, off: false }, defaultRule: { variation: "off" } },
          targeting: [{ query: comparisons.map(queryOf).join(" and "), variation: "on" }],
        },
      ]),
    ),
}

function queryOf({ attribute, operator, operands, isNegated }: Comparison): string {
  const texts = operands.map((operand) => JSON.stringify(operand))
  return `${isNegated ? "not " : ""}(${attribute} ${operator} ${operator === "in" ? `[${texts}]` : texts[0]})`
}
