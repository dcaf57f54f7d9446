/** Converts the route table to routes of React Router. */
import type { ComponentType } from 'react'
import {
  createBrowserRouter,
  type DataRouter,
  type LoaderFunction,
  type LoaderFunctionArgs,
  Navigate,
  type RouteObject,
} from 'react-router'
import { loadChunk } from '../api/load-chunk.ts'
import { isTrial } from '../api/trial-mode.ts'
import { SignInPage } from '../features/sign-in/sign-in-page.tsx'
import { FailurePage } from './failure-page.tsx'
import { Gate } from './gate.tsx'
import { lazyPage, type LazyPage, type PortalRoute } from './portal-route.ts'
import { routes } from './routes.ts'

export function createRouter(): DataRouter {
  return createBrowserRouter(createRoutes())
}

/** Pages for visitors lie outside the gate; all others, unknown addresses included, behind it. */
export function createRoutes(): RouteObject[] {
  const available = routes.filter(({ isTrialOnly }) => isTrialOnly !== true || isTrial())
  const signedIn = available.filter(({ allow }) => allow !== 'visitor')
  return [
    {
      errorElement: <FailurePage />,
      // Never visible: nothing is rendered before the first page's chunk has loaded.
      hydrateFallbackElement: <></>,
      children: [
        ...available.filter(({ allow }) => allow === 'visitor').map(createRouteObject),
        ...unknownVisitorPaths.map((path) => ({ path, Component: FailurePage })),
        {
          element: <Gate />,
          children: [
            {
              ...lazySignedInRoute(lazyPage(() => import('./shell/shell.tsx'), 'Shell')),
              children: [
                ...signedIn.filter((route) => !isOfConnectorType(route)).map(createRouteObject),
                {
                  path: connectorType,
                  ...lazySignedInRoute(lazyPage(() => import('./shell/connector-section.tsx'), 'ConnectorSection')),
                  children: signedIn.filter(isOfConnectorType).map(createRouteObject),
                },
              ],
            },
            { path: '*', element: <FailurePage /> },
          ],
        },
      ],
    },
  ]
}

/** Outside the gate, which would ask a visitor to sign in before it reports that the page does not exist. */
const unknownVisitorPaths = ['/signin/*', '/signup/*', '/reset-password/*', '/set-password/*']
const connectorType = '/connectors/:type'

function isOfConnectorType({ path }: PortalRoute): boolean {
  return path.startsWith(connectorType)
}

function createRouteObject(route: PortalRoute): RouteObject {
  const { path, page, outlet, preload, allow } = route
  const lazy = allow === 'visitor' ? lazyRoute : lazySignedInRoute
  if (page === 'signIn') return { path, Component: SignInPage }
  if ('redirectTo' in page) return { path, handle: route, element: <Navigate to={page.redirectTo} replace /> }
  return {
    path,
    handle: route,
    ...lazy(page),
    ...(preload !== undefined && { loader: preloadLoader(route), shouldRevalidate: () => false }),
    ...(outlet !== undefined && { children: [{ index: true, ...lazy(outlet) }] }),
  }
}

function lazyRoute({ importModule, name }: LazyPage): Pick<RouteObject, 'lazy'> {
  return { lazy: { Component: async () => (await loadChunk(importModule))[name] as ComponentType } }
}

/** A page of the shell, in the formats of the person. */
function lazySignedInRoute({ importModule, name }: LazyPage): Pick<RouteObject, 'lazy'> {
  return {
    lazy: {
      Component: async () => {
        const loading = [loadChunk(importModule), loadChunk(() => import('./shell/with-preferences.tsx'))] as const
        const [module, { withPreferences }] = await Promise.all(loading)
        return withPreferences(module[name] as ComponentType)
      },
    },
  }
}

/**
 * Starts the requests of a page while its chunk loads. On later visits the chunk is loaded already, and the page
 * requests only what the query cache lacks. The loader returns no data: components read it from the query cache.
 */
function preloadLoader(route: PortalRoute): LoaderFunction {
  let isFirstVisit = true
  return (args) => {
    if (!isFirstVisit) return null
    isFirstVisit = false
    return startPreload(route, args)
  }
}

/** Resolves after the requests have started, so that the page does not render earlier and repeat them. */
async function startPreload(route: PortalRoute, args: LoaderFunctionArgs): Promise<null> {
  try {
    const { preloadRoute } = await import('./shell/preload-route.ts')
    preloadRoute(route, args)
  } catch {
    // The page makes its requests itself, and reports the error if its chunk cannot be loaded either.
  }
  return null
}
