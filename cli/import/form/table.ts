/** Looks up names from the source. It lacks the members that every object has, such as `constructor`. */
export function table<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> {
  return Object.assign(Object.create(null), entries)
}
