import { askProgram, type Comparison, type Engine, installFromGo } from "./engine.ts"

export const flagd: Engine = {
  tool: "flagd",
  install: () => installFromGo("flagd", "github.com/open-feature/flagd/core", "v0.16.1"),
  ask: async (file, asks) => askProgram("flagd", file, asks),
  operators: ["==", "!=", "<", "<=", ">", ">=", "in", "starts_with", "ends_with", "sem_ver"],
  fileOf: (flags) => ({
    flags: Object.fromEntries(
      flags.map(([key, comparisons]) => [
        key,
        {
          ...{ state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off" },
          targeting: { if: [{ and: comparisons.map(conditionOf) }, "on", "off"] },
        },
      ]),
    ),
  }),
}

function conditionOf({ attribute, operator, operands, isNegated }: Comparison): object {
  const second = { in: [operands], sem_ver: ["=", "1.2.3"] }[operator] ?? [operands[0]]
  const condition = { [operator]: [{ var: attribute }, ...second] }
  return isNegated ? { "!": condition } : condition
}
