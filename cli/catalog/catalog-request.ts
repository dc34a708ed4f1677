import type { Project } from "../compile/definition/project.ts"
import type { Build } from "../compile/meaning/build.ts"
import type { Git } from "../git.ts"
import type { BuildParts } from "./build-parts.ts"

/** What a catalogue is made of. */
export interface CatalogRequest {
  readonly project: Project
  /** Of the same flags. */
  readonly build: Build
  /** What that build has read; left out, it is read again. */
  readonly parts?: BuildParts | undefined
  readonly git: Git
  /** The repository's address; `undefined`: no links. */
  readonly baseUrl: string | undefined
  /** Whether authors are named. */
  readonly authors: boolean
  /** Whether the page, its parts and the history may be remembered. */
  readonly cache: boolean
  /** Links to pages beside this one. */
  readonly links?: readonly PageLink[]
}

export interface PageLink {
  readonly text: string
  readonly href: string
}
