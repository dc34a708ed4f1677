/** What a flag gives in an environment. Values are compared with `===`. */
export interface Given<Value> {
  readonly environment: string
  readonly isProtected: boolean
  /** Whether the flag is configured and enabled there; otherwise everyone gets the default. */
  readonly isEnabled: boolean
  /** The one value that everyone gets; `undefined`: there are several, or may be. */
  readonly only: Value | undefined
}

/** The value that code keeps when a flag goes. */
export type Keep<Value> =
  /** Everyone gets it in every deciding environment. */
  | { readonly kind: "value"; readonly value: Value }
  /** Some users get a value other than the default, and these deciding environments do not enable the flag. */
  | { readonly kind: "waiting"; readonly environments: readonly string[] }
  /** Users get several values, or may. */
  | { readonly kind: "several" }

/** The environments on which the value to keep depends: the protected ones, or all if none is protected. */
export function deciding<Environment extends { readonly isProtected: boolean }>(
  given: readonly Environment[],
): readonly Environment[] {
  const guarded = given.filter(({ isProtected }) => isProtected)
  return guarded.length > 0 ? guarded : given
}

/** Returns the value that code keeps, from what a flag gives in each environment of the project. */
export function keepOf<Value>(given: readonly Given<Value>[], defaultValue: Value): Keep<Value> {
  const decisive = deciding(given)
  const off = decisive.filter(({ isEnabled }) => !isEnabled)
  if (off.length > 0 && given.some(({ only }) => only !== defaultValue))
    return { kind: "waiting", environments: off.map(({ environment }) => environment) }
  const value = oneValue(decisive)
  return value === undefined ? { kind: "several" } : { kind: "value", value }
}

/** The value that everyone gets in all these environments; `undefined`: there are several, or may be. */
export function oneValue<Value>(given: readonly Pick<Given<Value>, "only">[]): Value | undefined {
  const [first, ...others] = given
  return others.every(({ only }) => only === first?.only) ? first?.only : undefined
}
