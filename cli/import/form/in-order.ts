/** Whether an operator holds for two values that are so far apart; `NaN`, where one is unreadable, never does. */
export function inOrder(operator: string, distance: number): boolean {
  switch (operator) {
    case "eq":
      return distance === 0
    case "ne":
    case "neq":
      return distance !== 0 && !Number.isNaN(distance)
    case "gt":
      return distance > 0
    case "ge":
    case "gte":
      return distance >= 0
    case "lt":
      return distance < 0
    case "le":
    case "lte":
      return distance <= 0
  }
  return false
}
