// Flag files that the tests of diff build their sides from.

/** A rule as tests write it. */
export type Rule = readonly [attribute: string, operator: string, value: unknown, returnValue: unknown]

export const flag = (production: object | undefined, rest: object = {}) => ({
  defaultValue: false,
  ...rest,
  ...(production === undefined ? {} : { environments: { production } }),
})
export const enabled = (...rules: readonly Rule[]) => ({
  enabled: true,
  rules: rules.map(([attribute, operator, value, returnValue]) => ({
    ...(attribute === "" ? {} : { attribute }),
    operator,
    ...(value === "" ? {} : { value }),
    returnValue,
  })),
})
export const always: Rule = ["", "always", "", true]
export const ours: Rule = ["email", "endsWith", "@example.com", true]
export const german: Rule = ["country", "equals", "DE", true]
