/** Why an S3-compatible store refuses a request, in its own words. */
export interface StoreRefusal {
  /** More precise than the status, and repeats nothing that was sent; `undefined`: the store says none. */
  readonly code: string | undefined
  /** What to do, if the code alone tells. */
  readonly advice: string | undefined
}

/** Reads the body of a refusal; the first 4 KiB are enough. */
export function readStoreRefusal(text: string): StoreRefusal {
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1]
  if (!regionCodes.test(code ?? "")) return { code, advice: advices.get(code) }
  return { code, advice: adviceOfRegion(/<Region>([a-z0-9-]{1,32})<\/Region>/.exec(text)?.[1]) }
}

/** What to do if a bucket is in a different region: `region`, if the store says which. */
export function adviceOfRegion(region?: string): string {
  return `set AWS_REGION to the bucket's region${region === undefined ? "" : `, ${region}`}`
}

const regionCodes =
  /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect|IllegalLocationConstraintException|InvalidRegion)$/

const expired = "the credentials have expired: get new ones"

const advices: ReadonlyMap<string | undefined, string> = new Map([
  ["RequestTimeTooSkewed", "this machine's clock is wrong: set it"],
  ["ExpiredToken", expired],
  ["TokenRefreshRequired", expired],
  ["InvalidAccessKeyId", "the store does not know AWS_ACCESS_KEY_ID"],
  ["SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY is probably not the secret of AWS_ACCESS_KEY_ID"],
  ["NoSuchBucket", "there is no such bucket"],
])
