/** The place of a condition: a flag's configuration. A condition in a segment has none. */
export interface Place {
  readonly key: string
  readonly environment: string
}
