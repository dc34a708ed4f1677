/** Where a condition stands: in a flag's configuration. One in a segment has no place. */
export interface Place {
  readonly key: string
  readonly environment: string
}
