/** Renders the portal, or one component, like a browser after loading. */
import { act, cleanup, configure, render } from '@testing-library/react'
import type { Connector } from '@tributary/contract/connectors'
import { organisationsLoadedMax } from '@tributary/contract/limits'
import type { Preferences } from '@tributary/contract/preferences'
import type { SessionReply } from '@tributary/contract/sign-in'
import type { ReactNode } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Foundation } from '../../web/src/app/providers.tsx'
import { createRoutes } from '../../web/src/app/router.tsx'
import { endSession, storeSession } from '../../web/src/api/session/session.ts'
import { sourceVerification } from './verification-samples.ts'

// A page's chunk is compiled at its first import, which takes time on a busy machine.
configure({ asyncUtilTimeout: 4_000 })

export const harbour = {
  Id: '00000000-0000-4000-8000-000000000101',
  CompanyName: 'Harbour Trading',
  Key: 'harbour-trading',
  Budget2SqlProductId: '00000000-0000-4000-8000-000000000101',
  TimeZone: 'Europe/London',
  RequireMultiFactorAuthentication: false,
  Archived: false,
}
export const summit = {
  Id: '00000000-0000-4000-8000-000000000102',
  CompanyName: 'Summit Foods',
  Key: 'summit-foods',
  Budget2SqlProductId: '00000000-0000-4000-8000-000000000102',
  TimeZone: 'Europe/London',
  RequireMultiFactorAuthentication: false,
  Archived: false,
}

/** As many as the portal loads: the server may have more. Harbour Trading is the first. */
export const manyOrganisations = [
  harbour,
  ...Array.from({ length: organisationsLoadedMax - 1 }, (_, index) => ({
    ...harbour,
    Id: `00000000-0000-4000-8000-00000001${String(index).padStart(4, '0')}`,
    CompanyName: `Loaded ${index}`,
  })),
]

export const defaultPreferences: Preferences = {
  Locale: null,
  TimeZone: null,
  KeyboardShortcuts: true,
  Density: 'comfortable',
  Tables: {},
}

export function renderApp(path: string) {
  const router = createMemoryRouter(createRoutes(), { initialEntries: [path] })
  render(
    <Foundation env="test">
      <RouterProvider router={router} />
    </Foundation>,
  )
  return {
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
    /** Navigates like the browser's buttons, which no dialog blocks; -1 is one step back. */
    goTo: (elsewhere: string | -1) => act(() => router.navigate(elsewhere as string)),
  }
}

export function renderPart(part: ReactNode) {
  return render(part, { wrapper: ({ children }) => <Foundation env="test">{children}</Foundation> })
}

export function session(changes: Partial<SessionReply> = {}): SessionReply {
  return {
    accessToken: 'token-1',
    firstName: 'Amara',
    lastName: 'Okafor',
    email: 'admin@demo.example',
    role: 'admin',
    roleLevel: 2,
    mayReadData: true,
    organisationId: harbour.Id,
    requireMultiFactorAuthentication: false,
    mustChangePassword: false,
    verificationDevices: [],
    preferences: defaultPreferences,
    ...changes,
  }
}

/** The reply to a successful sign-in. */
export function verified(changes: Partial<SessionReply> = {}): SessionReply & { statusCode: 200 } {
  return { statusCode: 200, ...session(changes) }
}

export function signedInAs(changes: Partial<SessionReply> = {}): void {
  storeSession(session(changes))
}

/** Cleans up after a test: empties the screen and ends the session. */
export function leave(): void {
  cleanup()
  endSession()
  localStorage.clear()
  delete window.preloadedRequests
}

export function connector(changes: Partial<Connector> = {}): Connector {
  return {
    Id: '00000000-0000-4000-8000-000000000201',
    Key: 'web-shop',
    Name: 'Web shop',
    OriginalName: 'Web shop',
    Type: 'postgres',
    Status: 'CONNECTED',
    Schedule: null,
    NextRunAtUtc: null,
    TimeZone: 'Europe/London',
    Client: { Key: harbour.Key },
    SourceConnectorId: '00000000-0000-4000-8000-000000000301',
    Properties: [],
    Log: null,
    Licences: [],
    SchemaPolicy: 'take',
    PendingChanges: 0,
    HostApproval: null,
    TargetDownSinceUtc: null,
    RecentRuns: [],
    LatestRun: null,
    FreshAtUtc: null,
    LateSinceUtc: null,
    SharedBy: null,
    TieOut: null,
    Verification: sourceVerification(),
    StoresTablesOnly: false,
    ...changes,
  }
}

export function log(changes: Partial<NonNullable<Connector['Log']>> = {}): NonNullable<Connector['Log']> {
  return {
    ManuallyTriggeredAtUtc: null,
    AutomaticallyTriggeredAtUtc: null,
    CompletedAtUtc: null,
    HasError: false,
    Forbidden: false,
    RunId: '00000000-0000-4000-8000-000000000401',
    Notice: null,
    ...changes,
  }
}
