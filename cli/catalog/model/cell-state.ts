/** `on`, `off` and `value`: one value for all, of a boolean flag or another. `share`: one percentage and nothing else. */
export type CellState = "none" | "off" | "on" | "value" | "share" | "rules"

export const cellStates = ["none", "off", "on", "value", "share", "rules"] as const satisfies CellState[]
