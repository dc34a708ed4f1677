import type { Allowance } from "../../../proxy/rate-limit/token-bucket.ts"
import { createBucketState, takeToken } from "../../../proxy/rate-limit/token-bucket.ts"
import { describeBucketLaw } from "../../contracts/bucket-law.ts"

describeBucketLaw((bucket, start) => {
  let state = createBucketState(bucket, start)
  return {
    take(now): Allowance {
      const taken = takeToken(state, bucket, now)
      state = taken.state
      return taken.allowance
    },
    leave(tokens) {
      state = { ...state, tokens: Math.min(state.tokens, tokens) }
    },
  }
}, 100)
