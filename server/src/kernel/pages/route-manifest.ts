/**
 * Reads from `routes.json` what the page of each route preloads: files, sent as a `Link` header (RFC 8288), and
 * requests, which
 * `first-paint.js` makes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface PageStart {
  /** Value of the `Link` header. */
  readonly link: string
  /**
   * JSON for the `data-route` attribute of `first-paint.js`. Depends only on the route and on whether there is a query.
   */
  readonly route: string
}

/** @returns null if the portal was built without `routes.json`. */
export type FindPageStart = (path: string, query: string, isSignedIn: boolean) => PageStart | null

type RequestTemplate = readonly [roleLevel: number, address: string]

interface ManifestRoute {
  readonly path: string
  readonly isForVisitors: boolean
  readonly skeleton: 'signIn' | 'layout' | 'none'
  readonly assets: readonly string[]
  readonly requests: readonly RequestTemplate[]
  readonly withAnyQuery: boolean
}

/** As `web/plugins/route-manifest.ts` writes it. */
interface PortalRouteManifest {
  readonly entryAssets: readonly string[]
  readonly layout: { readonly assets: readonly string[]; readonly requests: readonly RequestTemplate[] }
  readonly routes: readonly ManifestRoute[]
}

/** The page of an unknown address has the layout. */
const unknownRoute: ManifestRoute = {
  path: '',
  isForVisitors: false,
  skeleton: 'layout',
  assets: [],
  requests: [],
  withAnyQuery: true,
}

export function readRouteManifest(webDir: string): FindPageStart {
  const file = join(webDir, 'routes.json')
  if (!existsSync(file)) return () => null
  const { entryAssets, layout, routes } = JSON.parse(readFileSync(file, 'utf8')) as PortalRouteManifest
  const matchers = routes.map((route) => ({ route, pattern: patternOf(route.path) }))
  return (path, query, isSignedIn) => {
    const route = matchers.find(({ pattern }) => pattern.test(path))?.route ?? unknownRoute
    const assets = [
      ...entryAssets,
      ...(isSignedIn ? layout.assets : []),
      ...(route.isForVisitors === isSignedIn ? [] : route.assets),
    ]
    return { link: linkHeader(assets), route: JSON.stringify(dataOf(route, query, layout.requests)) }
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/gu, '[^/]+')}/?$`, 'u')
}

function dataOf(
  { path, skeleton, requests, withAnyQuery }: ManifestRoute,
  query: string,
  layoutRequests: readonly RequestTemplate[],
) {
  const own = query === '' || withAnyQuery ? requests : []
  return { path, skeleton, requests: skeleton === 'none' ? [] : [...layoutRequests, ...own] }
}

/** Fonts come last where the browser has few connections: text is readable in another font until then. */
function linkHeader(assets: readonly string[]): string {
  return [...assets.filter((asset) => !isFont(asset)), ...assets.filter(isFont)].map(linkTo).join(', ')
}

function isFont(asset: string): boolean {
  return asset.endsWith('.woff2')
}

/** With the attributes that the page uses for the file. Otherwise the browser would download it twice. */
function linkTo(asset: string): string {
  if (asset.endsWith('.css')) return `<${asset}>; rel=preload; as=style; crossorigin`
  if (isFont(asset)) return `<${asset}>; rel=preload; as=font; type="font/woff2"; crossorigin`
  return asset.includes('/assets/')
    ? `<${asset}>; rel=modulepreload; crossorigin`
    : `<${asset}>; rel=preload; as=script`
}
