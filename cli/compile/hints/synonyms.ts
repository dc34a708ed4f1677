import { type GroupKind, semverTwin } from "../grammar/operators.ts"
import { type MappingNode, memberOf, type Node, toValue } from "../yaml/tree.ts"

/** What other tools call our operators, by their names without case, `_`, `-` and spaces. */
const operatorSynonyms: Readonly<Record<string, string>> = {
  "=": "equals",
  "==": "equals",
  eq: "equals",
  is: "equals",
  "!=": "notEquals",
  ne: "notEquals",
  neq: "notEquals",
  isnot: "notEquals",
  ">": "greaterThan",
  gt: "greaterThan",
  ">=": "greaterThanOrEquals",
  gte: "greaterThanOrEquals",
  ge: "greaterThanOrEquals",
  "<": "lessThan",
  lt: "lessThan",
  "<=": "lessThanOrEquals",
  lte: "lessThanOrEquals",
  le: "lessThanOrEquals",
  oneof: "in",
  isoneof: "in",
  anyof: "in",
  noneof: "notIn",
  regex: "matches",
  regexp: "matches",
  notregex: "notMatches",
  prefix: "startsWith",
  suffix: "endsWith",
  semvergt: "semverGreaterThan",
  semvergte: "semverGreaterThanOrEquals",
  semverlt: "semverLessThan",
  semverlte: "semverLessThanOrEquals",
  semvereq: "semverEquals",
  rollout: "percentage",
  percent: "percentage",
  split: "percentage",
  true: "always",
  everyone: "always",
  isset: "exists",
  present: "exists",
}

/** What other tools, and the wire, call our groups. */
const groupSynonyms: Readonly<Record<string, GroupKind>> = {
  all: "all",
  any: "any",
  none: "none",
  and: "all",
  or: "any",
  not: "none",
  nor: "none",
}

const typeSynonyms: Readonly<Record<string, string>> = {
  bool: "boolean",
  text: "string",
  int: "number",
  integer: "number",
  float: "number",
  double: "number",
  numeric: "number",
  object: "json",
  array: "json",
  list: "json",
}

const attributeTypeSynonyms: Readonly<Record<string, string>> = {
  string: "text",
  array: "list",
  set: "list",
  date: "moment",
  datetime: "moment",
  time: "moment",
  timestamp: "moment",
  semver: "version",
}

/**
 * What another tool's word is called here; `undefined` where it is not such a word, or what it means is not allowed. In a
 * comparison of versions `>=` is another operator.
 */
export function synonymOf(
  member: string | undefined,
  word: string,
  allowed: readonly string[],
  around?: Node,
): string | undefined {
  const plain = plainOf(word)
  const tables =
    member === "operator"
      ? [operatorSynonyms]
      : member === "type"
        ? [typeSynonyms, attributeTypeSynonyms]
        : []
  const isOfVersions = around?.kind === "mapping" && comparesVersions(around)
  return tables
    .filter((known) => Object.hasOwn(known, plain))
    .map((known) => known[plain] ?? "")
    .flatMap((meant) => (isOfVersions ? [semverTwin(meant), meant] : meant))
    .find((meant) => allowed.includes(meant))
}

/** Whether a comparison is with a version that is no number, or by an attribute of that name. */
function comparesVersions(comparison: MappingNode): boolean {
  const [value = "", attribute = ""] = ["value", "attribute"].map((name) => {
    const node = memberOf(comparison, name)?.value
    return node === undefined ? "" : String(toValue(node))
  })
  return /version/i.test(attribute) || /^v?\d+\.\d+\.\d/.test(value)
}

/** The group that a word means; `undefined` where it means none. */
export function groupMeant(word: string): GroupKind | undefined {
  const plain = plainOf(word)
  return Object.hasOwn(groupSynonyms, plain) ? groupSynonyms[plain] : undefined
}

function plainOf(word: string): string {
  return word.toLowerCase().replace(/[_\- ]/g, "")
}
