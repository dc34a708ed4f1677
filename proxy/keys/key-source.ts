import type { KeyRecord } from "../contract/key-file.ts"

/** Where the proxy's keys come from. */
export interface KeySource {
  /** Names the source in log lines and messages. */
  readonly location: string
  /** Another text whenever the keys may have changed since; cheap, because it is asked at every poll. Never throws. */
  version(): Promise<string>
  /** All keys there are; none is a valid answer. Throws an error that says what to mend and repeats no secret. */
  read(): Promise<readonly KeyRecord[]>
}
