/**
 * Writes `routes.json`: for each address pattern of the portal the files and the API requests that its page needs first. The server
 * reads it (`portal.ts`), because it must know them before any code of the portal runs.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RouteAccess, capabilities, roleLevels } from '@tributary/contract/capabilities'
import type { Route } from '@tributary/contract/route'
import { routes as apiRoutes } from '@tributary/contract/routes'
import type { Plugin, Rolldown } from 'vite'
import type { LazyPage, PortalRoute } from '../src/app/portal-route.ts'
import type { routes as Routes } from '../src/app/routes.ts'
import type {
  layoutRequests as LayoutRequests,
  Preload,
  findPreload as FindPreload,
} from '../src/app/shell/preloads.ts'

const web = resolve(import.meta.dirname, '..')
const dialogFrame = 'src/ui/dialogs/dialog-frame.tsx'

/** An address pattern of `routes.json`. A route with an optional parameter has two. */
interface RouteManifestEntry {
  /** In React Router's syntax, without optional parameters. */
  readonly path: string
  readonly isForVisitors: boolean
  /** What `index.html` shows until the page renders. */
  readonly skeleton: 'signIn' | 'layout' | 'none'
  /** Below the root of the site, in the order in which they are needed. */
  readonly assets: readonly string[]
  /** Templates of GET requests, each with the highest role level that may make it. */
  readonly requests: readonly (readonly [roleLevel: number, address: string])[]
  readonly withAnyQuery: boolean
}

interface RouteManifest {
  /** Files of every page. */
  readonly entryAssets: readonly string[]
  /** What all signed-in pages share. */
  readonly layout: Pick<RouteManifestEntry, 'assets' | 'requests'>
  readonly routes: readonly RouteManifestEntry[]
}

export function routeManifest(): Plugin {
  return {
    name: 'route-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const manifest = await describeRoutes((modules) => assetsOf(bundle, modules))
        const known = new Set([...entryAssets(bundle), ...layoutAssets(bundle)])
        const source: RouteManifest = {
          entryAssets: entryAssets(bundle),
          layout: { assets: layoutAssets(bundle), requests: manifest.layoutRequests },
          routes: manifest.routes.map((route) => ({
            ...route,
            assets: route.assets.filter((asset) => !known.has(asset)),
          })),
        }
        this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(source) })
      },
    },
  }
}

/** The route table as data. It is imported while the build runs, so that Vite does not bundle the pages into its configuration. */
async function describeRoutes(findAssets: (modules: readonly string[]) => readonly string[]) {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(web, 'src/app', file)).href)
  const { routes } = (await load('routes.ts')) as { routes: typeof Routes }
  const { layoutRequests, findPreload } = (await load('shell/preloads.ts')) as {
    layoutRequests: typeof LayoutRequests
    findPreload: typeof FindPreload
  }
  return {
    layoutRequests: requestsOf('signedIn', layoutRequests),
    routes: routes.flatMap((route): RouteManifestEntry[] =>
      pathsOf(route).map(({ path, hasRecord }) => {
        const preload = findPreload(route, hasRecord)
        return {
          path,
          isForVisitors: route.allow === 'visitor',
          skeleton: skeletonOf(route),
          assets: findAssets(modulesOf(route, preload)),
          requests: requestsOf(route.allow, preload?.requests ?? []),
          withAnyQuery: preload?.withAnyQuery === true,
        }
      }),
    ),
  }
}

function pathsOf({ path }: PortalRoute) {
  if (!path.endsWith('?')) return [{ path, hasRecord: false }]
  return [
    { path: path.replace(/\/:\w+\?$/, ''), hasRecord: false },
    { path: path.slice(0, -1), hasRecord: true },
  ]
}

/** Sign-in leads a user who is signed in to a page with the layout, and so does an unknown address. */
function skeletonOf({ allow, page }: PortalRoute): RouteManifestEntry['skeleton'] {
  if (allow !== 'visitor') return 'layout'
  return page === 'signIn' ? 'signIn' : 'none'
}

function requestsOf(allow: RouteAccess, requests: readonly string[]): RouteManifestEntry['requests'] {
  const roleLevel = roleLevelOf(allow)
  return requests.map((request) => {
    if (roleLevelOf(apiRouteOf(request).allow) < roleLevel)
      throw new Error(`web/src/app/shell/preloads.ts: roles that may open the page are refused GET ${request}.`)
    return [roleLevel, `/api${request}`]
  })
}

function roleLevelOf(allow: RouteAccess): number {
  return allow === 'visitor' || allow === 'signedIn' ? roleLevels.guest : capabilities[allow]
}

function apiRouteOf(request: string): Route {
  const path = request.replace(/\?.*$/, '')
  const all: readonly Route[] = Object.values(apiRoutes).flatMap((noun) => Object.values(noun))
  const found = all.filter((route) => route.method === 'GET' && matches(route.path, path))
  // `/loads/tables` also matches `/loads/:loadId`; the literal path wins.
  const route = found.find((one) => !one.path.includes(':')) ?? found[0]
  if (route === undefined) throw new Error(`web/src/app/shell/preloads.ts: the API has no GET ${path}.`)
  return route
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
}

/** Below `web/`. */
function modulesOf({ page, outlet }: PortalRoute, preload: Preload | undefined): string[] {
  return [
    ...(typeof page === 'object' && 'importModule' in page ? [moduleOf(page)] : []),
    ...(outlet === undefined ? [] : [moduleOf(outlet)]),
    ...(preload?.opensDialog === true ? [dialogFrame] : []),
  ]
}

function moduleOf({ importModule }: LazyPage): string {
  const path = /import\('\.\.\/([^']+)'\)/.exec(String(importModule))?.[1]
  if (path === undefined) throw new Error(`web/src/app/routes.ts: ${String(importModule)} imports no module.`)
  return `src/${path}`
}

/**
 * Reads the chunk of a module from the bundle and not from Vite's manifest, which lists a chunk by the module that it begins with:
 * pages that share a chunk (`chunkGroups` in vite.config.ts) are not in it.
 */
function assetsOf(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap((module) => filesOf(bundle, chunkOf(bundle, join(web, module)))))]
}

function chunkOf(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(module))
  if (chunk?.type !== 'chunk') throw new Error(`No chunk contains ${module}, which web/src/app/routes.ts names.`)
  return chunk
}

/** The file of a chunk, its styles, and those of all chunks that it imports. */
function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
  const imported = chunk.imports.flatMap((name) => {
    const other = bundle[name]
    return other?.type === 'chunk' ? filesOf(bundle, other, seen) : []
  })
  return [`/${chunk.fileName}`, ...styles.map((name) => `/${name}`), ...imported]
}

function entryAssets(bundle: Rolldown.OutputBundle): string[] {
  return [
    '/first-paint.js',
    ...namesOf(bundle, /\/index-.*\.css$/),
    ...namesOf(bundle, /\/(?:index|react-dom)-.*\.js$/),
    ...namesOf(bundle, /geist-latin-wght.*\.woff2$/),
  ]
}

function layoutAssets(bundle: Rolldown.OutputBundle): string[] {
  return namesOf(bundle, /\/signed-in-.*\.(?:js|css)$/)
}

function namesOf(bundle: Rolldown.OutputBundle, pattern: RegExp): string[] {
  return Object.keys(bundle)
    .filter((name) => pattern.test(name))
    .map((name) => `/${name}`)
}
