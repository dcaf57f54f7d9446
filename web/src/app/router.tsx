/** Makes React Router's routes of the route table. */
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
        ...available.filter(({ allow }) => allow === 'visitor').map(routeObject),
        ...unknownVisitorPaths.map((path) => ({ path, Component: FailurePage })),
        {
          element: <Gate />,
          children: [
            {
              ...lazily(lazyPage(() => import('./shell/shell.tsx'), 'Shell')),
              children: [
                ...signedIn.filter((route) => !isOfConnectorType(route)).map(routeObject),
                {
                  path: connectorType,
                  ...lazily(lazyPage(() => import('./shell/connector-section.tsx'), 'ConnectorSection')),
                  children: signedIn.filter(isOfConnectorType).map(routeObject),
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

/** Outside the gate, which would ask a visitor to sign in before saying that there is no such page. */
const unknownVisitorPaths = ['/signin/*', '/signup/*', '/reset-password/*', '/set-password/*']
const connectorType = '/connectors/:type'

function isOfConnectorType({ path }: PortalRoute): boolean {
  return path.startsWith(connectorType)
}

function routeObject(route: PortalRoute): RouteObject {
  const { path, page, outlet, preload } = route
  if (page === 'signIn') return { path, Component: SignInPage }
  if ('redirectTo' in page) return { path, handle: route, element: <Navigate to={page.redirectTo} replace /> }
  return {
    path,
    handle: route,
    ...lazily(page),
    ...(preload !== undefined && { loader: preloadLoader(route), shouldRevalidate: () => false }),
    ...(outlet !== undefined && { children: [{ index: true, ...lazily(outlet) }] }),
  }
}

function lazily({ importModule, name }: LazyPage): Pick<RouteObject, 'lazy'> {
  return { lazy: { Component: async () => (await loadChunk(importModule))[name] as ComponentType } }
}

/**
 * Starts the requests of a page while its chunk loads. On a later visit the chunk is there, and the page makes its requests as early
 * itself, and only those that its cache lacks. The loader returns no data: components read it from the query cache.
 */
function preloadLoader(route: PortalRoute): LoaderFunction {
  let isFirstVisit = true
  return (args) => {
    if (!isFirstVisit) return null
    isFirstVisit = false
    return startPreload(route, args)
  }
}

/** Resolves when the requests are under way, so that the page cannot render before and make them a second time. */
async function startPreload(route: PortalRoute, args: LoaderFunctionArgs): Promise<null> {
  try {
    const { preloadRoute } = await import('./shell/preload-route.ts')
    preloadRoute(route, args)
  } catch {
    // The page makes its requests itself, and its own chunk reports what is wrong.
  }
  return null
}
