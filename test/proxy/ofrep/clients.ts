import type { Evaluated } from "./evaluated-flags.ts"

// What nine OpenFeature clients send, and what they need from an answer, from the code of their newest versions of
// September 2026: js-sdk-contrib (ofrep-provider 0.2.5, ofrep-web-provider 0.4.2), go-sdk-contrib (ofrep 0.1.7),
// python-sdk-contrib 0.3.0, java-sdk-contrib 0.0.2, rust-sdk-contrib 0.1.2, dotnet-sdk-contrib 0.1.5, kotlin-sdk-contrib
// 0.1.0, ruby-sdk-contrib. A change of an answer fails here for the client that would not read it.

export interface Client {
  readonly name: string
  readonly asks: "for one flag" | "for all flags"
  /** The path of a request to a base address that ends with a slash or without. */
  readonly target: (slash: boolean, key: string) => string
  readonly headers: Readonly<Record<string, string>>
  /** Of a request without a context; `undefined`: none is sent. */
  readonly emptyBody: string | undefined
  /** What the client could not read in an answer, or would misread. */
  readonly complaints: (answer: Evaluated) => readonly string[]
}

const all = "/ofrep/v1/evaluate/flags"
const raw = (key: string) => `${all}/${key}`
const encoded = (key: string) => `${all}/${encodeURIComponent(key)}`
const json = { "content-type": "application/json" }
const jsonInUtf8 = { "content-type": "application/json; charset=utf-8" }

/** The reasons in Python's enum, in which it looks up every reason that it gets. */
const pythonReasons = "CACHED DEFAULT DISABLED ERROR STATIC SPLIT TARGETING_MATCH UNKNOWN".split(" ")

const none: readonly string[] = []
const when = (isWrong: boolean, complaint: string) => (isWrong ? [complaint] : none)

const needsValue = ({ status, body }: Evaluated) =>
  when(status === 200 && body.value === undefined, "no value: the caller's default, or FLAG_NOT_FOUND")
const needsVariant = ({ status, body }: Evaluated) => when(status === 200 && !body.variant, "no variant")
const needsNoDisabled = ({ status, body }: Evaluated) =>
  when(status === 200 && body.reason === "DISABLED", "DISABLED: the caller's default")
const needsObject = ({ body }: Evaluated) => when(typeof body !== "object" || body === null, "no JSON object")
const needsErrorCode = ({ status, body }: Evaluated) =>
  when(status >= 400 && typeof body?.errorCode !== "string", "no errorCode")
const needsErrorKey = ({ status, body }: Evaluated) =>
  when(status >= 400 && typeof body?.key !== "string", "an error without key")
const needsErrorDetails = ({ status, body }: Evaluated) =>
  when(status >= 400 && typeof body?.errorDetails !== "string", "KeyError: errorDetails")
const needsMediaType = ({ status, headers }: Evaluated) =>
  when(
    status === 200 && !/^application\/.*json/.test(headers.get("content-type") ?? ""),
    "not JSON by its type",
  )
/** The only form that none of the nine reads as a different time, or throws at. */
const needsWholeSeconds = ({ status, headers }: Evaluated) =>
  when(status === 429 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? ""), "no seconds to wait")
const needsFlags = ({ status, body }: Evaluated) =>
  when(status === 200 && !Array.isArray(body.flags), "no flags")

function needs(...rules: readonly Client["complaints"][]): Client["complaints"] {
  return (answer) => [needsWholeSeconds, ...rules].flatMap((complain) => complain(answer))
}

/** Ktor's JSON refuses every member that the model does not name. */
function needsKnownMembers({ status, body }: Evaluated): readonly string[] {
  if (status !== 200) return none
  const top = Object.keys(body).filter((name) => !["flags", "errorCode", "errorDetails"].includes(name))
  const known = ["key", "value", "reason", "variant", "errorCode", "errorDetails", "metadata"]
  const inItems = (body.flags as object[])
    .flatMap((item) => Object.keys(item))
    .filter((name) => !known.includes(name))
  return [...top, ...inItems].map((name) => `unknown member ${name}`)
}

export const clients: readonly Client[] = [
  {
    name: "JavaScript, server",
    asks: "for one flag",
    target: (slash, key) => (slash ? "/" : "") + encoded(key),
    headers: jsonInUtf8,
    emptyBody: "{}",
    complaints: needs(needsMediaType, needsValue, needsErrorKey, needsErrorCode),
  },
  {
    name: "JavaScript, web",
    asks: "for all flags",
    target: (slash) => (slash ? "/" : "") + all,
    headers: jsonInUtf8,
    emptyBody: '{"context":{}}',
    complaints: needs(needsMediaType, needsFlags, needsErrorCode),
  },
  {
    name: "Go",
    asks: "for one flag",
    target: (_, key) => raw(key), // by url.JoinPath
    headers: json,
    emptyBody: '{"context":null}',
    complaints: needs(needsValue, needsNoDisabled, needsErrorCode),
  },
  {
    name: "Python",
    asks: "for one flag",
    target: (_, key) => raw(key),
    headers: json,
    emptyBody: "{}",
    complaints: needs(needsVariant, needsValue, needsErrorDetails, ({ status, body }) =>
      when(status === 200 && !pythonReasons.includes(body.reason), `${body.reason} is no reason`),
    ),
  },
  {
    name: "Java",
    asks: "for one flag",
    target: (slash, key) => (slash ? "/" : "") + raw(key),
    headers: {
      ...jsonInUtf8,
      connection: "Upgrade, HTTP2-Settings",
      upgrade: "h2c",
      "http2-settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
    },
    emptyBody: '{"context":{}}',
    complaints: needs(needsObject, needsValue), // before it looks at the status
  },
  {
    name: "Rust",
    asks: "for one flag",
    target: (slash, key) => (slash ? "/" : "") + raw(key),
    headers: json,
    emptyBody: '{"context":{}}',
    complaints: needs(needsValue),
  },
  {
    name: ".NET",
    asks: "for one flag",
    target: (_, key) => encoded(key),
    headers: json,
    emptyBody: '{"context":{}}',
    complaints: needs(needsValue, needsErrorCode),
  },
  {
    name: "Kotlin",
    asks: "for all flags",
    target: () => all,
    headers: json,
    emptyBody: undefined, // it refuses by itself
    complaints: needs(needsFlags, needsKnownMembers, needsErrorCode),
  },
  {
    name: "Ruby",
    asks: "for one flag",
    target: (_, key) => `${all}/${encodeURIComponent(key).replaceAll("%20", "+")}`, // by CGI.escape
    headers: json,
    emptyBody: undefined, // it refuses by itself
    complaints: needs(needsVariant, needsValue, needsNoDisabled),
  },
]
