import type { RateLimitStore } from "./memory-store.ts"

/**
 * The buckets for opening streams, which are apart from those for documents and evaluations, and of the same size. A
 * client that starts asks for its flags and then listens: so many clients may start at once as the bucket has tokens, but
 * no one may open streams without end.
 */
export function streamBuckets<Answer>(store: RateLimitStore<Answer>): RateLimitStore<Answer> {
  return { take: (id, bucket, now) => store.take(`${id} events`, bucket, now) }
}
