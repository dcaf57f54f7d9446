import type { RouteAccess } from '@tributary/contract/capabilities'
import type { ComponentType } from 'react'
import type { PreloadName } from './shell/preloads.ts'

export interface PortalRoute {
  /** In React Router's syntax. Only the last parameter may be optional. */
  readonly path: string
  /**
   * The name of the page, and its heading unless the heading names the page's subject. Empty and unused for visitors.
   */
  readonly title: string
  /** The text of links to the page, if it is not the title. */
  readonly label?: string
  /** Pages for `visitor` are outside the sign-in gate. Any other page is refused to a role without the capability. */
  readonly allow: RouteAccess
  /** `signIn` is in the entry chunk, so that it needs no further request. */
  readonly page: LazyPage | RouteRedirect | 'signIn'
  /** The letter that opens the page after the key `g`. */
  readonly key?: string
  /** The section of the guides that the page's help opens: `users/user#sign-in`. All but pages for visitors have one. */
  readonly guide?: string
  /** False for pages that only redirect, and for those that need a record in the query: the palette omits them. */
  readonly isListed?: false
  /** The page is about accounting products, which only sources of that kind have. */
  readonly isForAccounting?: true
  /** Loaded with the page and rendered in its outlet. */
  readonly outlet?: LazyPage
  /** The requests to preload while the page's code is loading. */
  readonly preload?: PreloadName
  /** Replaces `preload` if the address has the optional parameter. */
  readonly preloadWithRecord?: PreloadName
  readonly isTrialOnly?: boolean
}

export interface LazyPage {
  /** The build reads the path of the module from the source text of this function. */
  readonly importModule: () => Promise<Readonly<Record<string, unknown>>>
  /** The name of the component that the module exports. */
  readonly name: string
}

export function lazyPage<Name extends string>(
  importModule: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): LazyPage {
  return { importModule, name }
}

interface RouteRedirect {
  readonly redirectTo: string
}
