import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { Location, SourceFile } from "../../diagnostics/diagnostic.ts"
import { positionOf } from "../../diagnostics/position.ts"

/** A file that is imported. */
export interface ImportFile extends SourceFile {
  /** As the user named it; `undefined`: its path. */
  readonly name?: string
  /** The environment that its flags are for, as named on the command line. */
  readonly environment: string | undefined
}

/** A value in a JSON or YAML file, and its place. */
export interface Node {
  readonly value: null | boolean | number | string | readonly Node[] | Mapping
  readonly file: ImportFile
  /** Offset into the file's text. */
  readonly start: number
  /** `undefined`: the whole document. */
  readonly parent: Node | undefined
  /** Its name or position in its parent. */
  readonly name: string | number
}

/** Each member knows its name: for mappings as small as these, a Map would need several times the memory. */
export interface Mapping {
  readonly members: readonly Node[]
}

/** A place in a file. */
export interface Place {
  readonly file: string
  /** RFC 6901. */
  readonly pointer: string
  /** Counted from 1. */
  readonly line: number
}

/** The member at a path of names; `undefined` if a member is missing or null. */
export function at(node: Node | undefined, ...names: readonly string[]): Node | undefined {
  let found = node
  for (const name of names) found = memberOf(found, name)
  return found?.value === null ? undefined : found
}

/** A loop, because proofs spend much of their time here. */
function memberOf(node: Node | undefined, name: string): Node | undefined {
  for (const member of membersOf(node) ?? []) if (member.name === name) return member
  return undefined
}

/** The members of a mapping, each with its name; `undefined` for anything else. */
export function membersOf(node: Node | undefined): readonly Node[] | undefined {
  const value = node?.value
  return typeof value === "object" && value !== null && "members" in value ? value.members : undefined
}

/** The items of a list; empty for anything else. */
export function items(node: Node | undefined): readonly Node[] {
  return Array.isArray(node?.value) ? node.value : []
}

/** The members of a mapping; empty for anything else. */
export function members(node: Node | undefined): readonly (readonly [string, Node])[] {
  return (membersOf(node) ?? []).map((member) => [String(member.name), member])
}

/** A string; `undefined` for any other type. */
export function textOf(node: Node | undefined): string | undefined {
  return typeof node?.value === "string" ? node.value : undefined
}

/** A string, number or boolean as a string. */
export function scalarText(node: Node | undefined): string | undefined {
  return node === undefined || typeof node.value === "object" ? undefined : String(node.value)
}

/** A number, or a string that is one. */
export function numberOf(node: Node | undefined): number | undefined {
  const number = Number(scalarText(node) || Number.NaN)
  return Number.isFinite(number) ? number : undefined
}

/** A moment in RFC 3339; `undefined` for anything else. */
export function momentText(text: string | number): string | undefined {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

export function isTrue(node: Node | undefined): boolean {
  return node?.value === true
}

/** The strings, numbers and booleans of a list, as strings. */
export function textsOf(node: Node | undefined): readonly string[] {
  return items(node).flatMap((item) => scalarText(item) ?? [])
}

/** The value without places. */
export function jsonOf(node: Node): Json {
  const own = membersOf(node)
  if (own !== undefined) return Object.fromEntries(own.map((member) => [member.name, jsonOf(member)]))
  return Array.isArray(node.value) ? node.value.map(jsonOf) : (node.value as Json)
}

/** What messages call a file. */
export function nameOf({ name, path }: ImportFile): string {
  return name ?? path
}

/** The place of a value. */
export function placeOf(node: Node): Place {
  const { file, start } = node
  return { file: nameOf(file), pointer: pointerOf(node), line: positionOf(file, start).line }
}

/** Where a value begins. */
export function locationOf({ file, start }: Node): Location {
  return { source: file, span: { start, end: start } }
}

function pointerOf({ parent, name }: Node): string {
  if (parent === undefined) return ""
  return `${pointerOf(parent)}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`
}
