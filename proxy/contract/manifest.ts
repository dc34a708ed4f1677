import { invalid, isObject, type Parsed } from "../../sdk/contract/parsed.ts"
import { isEnvironmentName } from "./environment-name.ts"
import { isTime } from "./time.ts"

/** The manifest's name in every folder and store. */
export const manifestFile = "manifest.json"

/** The maximum size of a document, in bytes, that readers take from an address. */
export const maxDocumentLength = 64 * 1024 * 1024

/** The maximum size of a manifest, and of its signature, in bytes: enough for thousands of environments. */
export const maxManifestLength = 1024 * 1024

/** The maximum length of a `target`, in UTF-16 code units. */
export const maxTargetLength = 1024

/** The version of the manifest's own layout; a reader refuses any other. */
export const formatVersion = 1

/** One environment's snapshot, as the manifest names it. */
export interface ManifestEnvironment {
  /** The `environmentId` of the snapshot's configurations; by default the environment's name. */
  readonly id: string
  /** The snapshot's file, relative to the manifest. */
  readonly file: string
  /** Lower-case hex SHA-256 of the file's bytes. */
  readonly sha256: string
  /** The file's length in bytes. */
  readonly size: number
  /** How many flags it holds. */
  readonly flags: number
}

/** The small index of the snapshots of one build. */
export interface Manifest {
  readonly formatVersion: typeof formatVersion
  readonly project: string
  /** The commit that was compiled; `null` outside git. */
  readonly revision: string | null
  /** Present if a compiled file was not committed. */
  readonly dirty?: true
  /** Present if the clone was shallow: the times in the documents may be wrong. */
  readonly shallow?: true
  /** The committer date of `revision`, ISO 8601; absent outside git. */
  readonly committedAt?: string
  /**
   * When this manifest became the current one of its target, ISO 8601; absent in a build. It always increases, even if
   * an earlier revision is published again: nothing else shows which of two manifests is older.
   */
  readonly publishedAt?: string
  /**
   * The address where readers find it, without a slash at the end; absent in a build, and if the publisher
   * did not know it.
   */
  readonly target?: string
  /** Present if an earlier revision was made current again by a rollback. */
  readonly rollback?: true
  readonly environments: { readonly [name: string]: ManifestEnvironment }
}

/**
 * Reads a manifest. Everything that this version needs must be present and valid: the files that it names are opened,
 * so a name that leads out of the manifest's folder is an attack. `environments` has no prototype: `__proto__` is not
 * an environment.
 */
export function parseManifest(text: string): Parsed<Manifest> {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    return invalid("it is not JSON")
  }
  if (!isObject(manifest)) return invalid("it is not an object")
  if (typeof manifest.formatVersion === "number" && manifest.formatVersion > formatVersion)
    return invalid(
      `its formatVersion is ${manifest.formatVersion}, newer than this Flagstone can read: update this proxy or command line`,
    )
  if (manifest.formatVersion !== formatVersion)
    return invalid(
      `its formatVersion is not ${formatVersion}: build the snapshots with this version of Flagstone`,
    )
  const { project, revision, dirty, shallow, committedAt, publishedAt, target, rollback, environments } =
    manifest
  if (typeof project !== "string" || project === "") return invalid("project is not a name")
  if (revision !== null && typeof revision !== "string")
    return invalid("revision is neither a string nor null")
  if (dirty !== undefined && dirty !== true) return invalid("dirty is not true")
  if (shallow !== undefined && shallow !== true) return invalid("shallow is not true")
  if (committedAt !== undefined && !isTime(committedAt)) return invalid("committedAt is not a time")
  if (publishedAt !== undefined && !isTime(publishedAt)) return invalid("publishedAt is not a time")
  if (target !== undefined && (typeof target !== "string" || target.length > maxTargetLength))
    return invalid("target is not a URL")
  if (rollback !== undefined && rollback !== true) return invalid("rollback is not true")
  if (!isObject(environments)) return invalid("environments is not an object")

  const parsed: Record<string, ManifestEnvironment> = Object.create(null)
  for (const [name, value] of Object.entries(environments)) {
    if (!isEnvironmentName(name)) return invalid("an environment has a name that is not allowed")
    const environment = parseEnvironment(value)
    if (environment.kind === "invalid") return invalid(`environment ${name}: ${environment.reason}`)
    parsed[name] = environment.value
  }
  if (Object.keys(parsed).length === 0) return invalid("it names no environment")
  const value: Manifest = {
    formatVersion,
    project,
    revision,
    ...(dirty && { dirty }),
    ...(shallow && { shallow }),
    ...(committedAt !== undefined && { committedAt }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(target !== undefined && { target }),
    ...(rollback && { rollback }),
    environments: parsed,
  }
  return { kind: "valid", value }
}

function parseEnvironment(value: unknown): Parsed<ManifestEnvironment> {
  if (!isObject(value)) return invalid("it is not an object")
  const { id, file, sha256, size, flags } = value
  if (typeof id !== "string" || id === "") return invalid("id is not a name")
  if (typeof file !== "string" || !isInsideFolder(file))
    return invalid("file is not a relative path inside the manifest's folder")
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
    return invalid("sha256 is not 64 lower-case hexadecimal digits")
  if (!isCount(size)) return invalid("size is not a number of bytes")
  if (!isCount(flags)) return invalid("flags is not a number of flags")
  return { kind: "valid", value: { id, file, sha256, size, flags } }
}

/** Plain names joined by `/`: no `..`, no drive, no backslash, no NUL, no hidden file, and nothing to decode in a URL. */
function isInsideFolder(file: string): boolean {
  return file.length <= 512 && file.split("/").every((name) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name))
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
}
