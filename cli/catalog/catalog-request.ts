import type { CompileOptions } from "../compile/compile.ts"
import type { Input } from "../compile/input.ts"
import type { Report } from "../diagnostics/diagnostic.ts"

/** What a catalogue is asked for. */
export interface CatalogRequest {
  readonly input: Input
  readonly report: Report
  /** The page, its parts and the history may be remembered where what is compiled may. */
  readonly options: CompileOptions
  /** The repository's address; `undefined`: no links. It never fails. */
  readonly baseUrl: Promise<string | undefined>
  /** Whether authors are named. */
  readonly authors: boolean
  /** Links to pages beside this one. */
  readonly links?: readonly PageLink[]
}

export interface PageLink {
  readonly text: string
  readonly href: string
}
