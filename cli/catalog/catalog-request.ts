import type { CompileOptions } from "../compile/compile.ts"
import type { Project } from "../compile/definition/project.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import type { Git } from "../git.ts"

/** What a catalogue is asked for. */
export interface CatalogRequest {
  readonly project: Project
  readonly git: Git
  readonly report: Report
  /** The page, its parts and the history may be remembered where the build's cache may. */
  readonly options: CompileOptions
  /** The repository's address; `undefined`: no links. */
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
