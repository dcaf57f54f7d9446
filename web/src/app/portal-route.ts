import type { RouteAccess } from '@tributary/contract/capabilities'
import type { ComponentType } from 'react'
import type { PreloadName } from './shell/preloads.ts'

export interface PortalRoute {
  /** In React Router's syntax. Only the last parameter may be optional. */
  readonly path: string
  /** The name of the page; also its heading, unless the heading names what the page shows. Empty for visitors: nothing shows it. */
  readonly title: string
  /** The text of links to the page, if it is not the title. */
  readonly label?: string
  /** Pages for `visitor` lie outside the sign-in gate. Any other page is refused to a role without the capability. */
  readonly allow: RouteAccess
  /** `signIn` is in the entry chunk, so that it waits for no further file. */
  readonly page: LazyPage | Redirect | 'signIn'
  /** Loaded with the page and rendered in its outlet. */
  readonly outlet?: LazyPage
  /** What the page requests while its code is still loading. */
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

interface Redirect {
  readonly redirectTo: string
}
