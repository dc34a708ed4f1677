/** Whether a value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false // a revoked Proxy
  }
}

/** Whether a value is a list without elements. */
export function isEmptyList(value: unknown): boolean {
  try {
    return Array.isArray(value) && value.length === 0
  } catch {
    return false
  }
}

/** Whether any element passes the test; false if reading the list throws. */
export function anyElement<T>(
  list: readonly unknown[],
  test: (element: unknown, operand: T) => boolean,
  operand: T,
): boolean {
  try {
    for (let index = 0; index < list.length; index++) if (test(list[index], operand)) return true
  } catch {}
  return false
}
