/** The content codings that documents are prepared in, in the proxy's order of preference. */
const encodings = ["br", "gzip", "identity"] as const

export type Encoding = (typeof encodings)[number]

/**
 * The coding among the `variants` that an `Accept-Encoding` header (RFC 9110, 12.5.3) prefers; the order of `encodings`
 * decides between equal weights. `null`: the request has no such header. A client that forbids every variant gets
 * identity: a body that it can read is more use to a poller than 406.
 */
export function chooseEncoding(
  header: string | null,
  variants: Readonly<Partial<Record<Encoding, unknown>>>,
): Encoding {
  if (header === null) return "identity"
  for (const encoding of wishesOf(header)) if (variants[encoding] !== undefined) return encoding
  return "identity"
}

/**
 * Identity is acceptable unless refused, but a client that names a different coding prefers that one. RFC weights start
 * at 0.001.
 */
const leastWeight = 0.0001

/**
 * Clients send few different headers, so results are cached. A client that makes up new ones fills the cache once;
 * after that its headers are parsed each time.
 */
function wishesOf(header: string): readonly Encoding[] {
  const known = parsed.get(header)
  if (known !== undefined) return known
  const wishes = parseWishes(header)
  if (parsed.size < 256 && header.length < 128) parsed.set(header, wishes)
  return wishes
}

const parsed = new Map<string, readonly Encoding[]>()

/** The codings that a header allows, in order of preference. */
function parseWishes(header: string): readonly Encoding[] {
  const weights = parseWeights(header)
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? leastWeight : 0)
  return encodings
    .filter((encoding) => weightOf(encoding) > 0)
    .toSorted((left, right) => weightOf(right) - weightOf(left))
}

/** The weight of each coding by its lower-case name. An invalid weight refuses its coding. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(",")) {
    const parameters = element.toLowerCase().split(";")
    const coding = (parameters.shift() ?? "").trim()
    if (coding === "") continue
    let weight = 1
    for (const parameter of parameters) {
      const text = parameter.trim()
      if (!text.startsWith("q=")) continue
      const value = text.slice("q=".length)
      weight = weightPattern.test(value) ? Number(value) : 0
    }
    weights.set(coding === "x-gzip" ? "gzip" : coding, weight)
  }
  return weights
}

/** RFC 9110, 12.4.2. */
const weightPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
