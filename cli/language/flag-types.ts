/** The types that a flag's value can have. */
export const flagTypes = ["boolean", "string", "number", "json"] as const

export type FlagType = (typeof flagTypes)[number]
