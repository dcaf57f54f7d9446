import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { RunDetail } from '@tributary/contract/runs'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../api/query-client.ts'
import { endSession } from '../../api/session/session.ts'
import { forgetStarted, rememberStarted } from '../../api/queries/started-runs.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import {
  connector,
  harbour,
  leave,
  renderApp,
  session,
  signedInAs,
  summit,
} from '@tributary/testing/web/render-app.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  leave()
})

const runId = '00000000-0000-4000-8000-000000000401'
const run = (Status: RunDetail['Status']): RunDetail => ({
  Id: runId,
  ConnectorId: connector().Id,
  Status,
  Mode: 'full',
  OnlyStreams: null,
  FromUtc: null,
  Trigger: 'person',
  TriggeredBy: 'Amara Okafor',
  QueuedAtUtc: '2026-11-20T08:00:00Z',
  StartedAtUtc: '2026-11-20T08:00:01Z',
  CompletedAtUtc: '2026-11-20T08:00:05Z',
  RetryAtUtc: null,
  Attempt: 1,
  FaultKind: null,
  FaultCode: null,
  Notice: null,
  RowsRead: 0,
  RowsWritten: 0,
  RowsUpdated: 0,
  RowsDeleted: 0,
  RowsRejected: 0,
  TieOut: null,
  Card: null,
  Streams: [],
  Lines: [],
})

async function startAndFinish(status: RunDetail['Status']) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /roles': () => [],
    'GET /users': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId': () => run(status),
  })
  signedInAs()
  renderApp('/home')
  await screen.findByRole('heading', { level: 1, name: 'Home' })
  act(() => rememberStarted({ clientId: harbour.Id, connectorId: connector().Id, runId, name: 'Lamp shop' }))
}

test('the end of a run is announced to the user who started it, on any page', async () => {
  await startAndFinish('FAILED')
  expect(await screen.findByText('Lamp shop failed.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'See the run' })).toBeTruthy()
  expect(document.title).toBe('Home - Harbour Trading - Tributary')
})

test('[SHELL-6] “See the run” switches to the organisation of the run', async () => {
  fakeServer({
    'GET /organisations': () => [harbour, summit],
    'GET /roles': () => [],
    'GET /users': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId': () => run('COMPLETED'),
    'POST /auth/refresh': () => session(),
  })
  signedInAs({ organisationId: summit.Id })
  const { address } = renderApp(`/home?organisation=${summit.Id}`)
  await waitFor(() => expect(document.title).toContain(summit.CompanyName))
  act(() => rememberStarted({ clientId: harbour.Id, connectorId: connector().Id, runId, name: 'Lamp shop' }))
  await userEvent.click(await screen.findByRole('button', { name: 'See the run' }))
  await waitFor(() => expect(document.title).toContain(harbour.CompanyName))
  expect(address()).toContain(`run=${runId}`)
})

test('the runs of the previous user of the tab are not announced', () => {
  createQueryClient()
  signedInAs()
  rememberStarted({ clientId: harbour.Id, connectorId: connector().Id, runId, name: 'Lamp shop' })
  endSession()
  expect(forgetStarted(runId)).toBe(false)
})

test('the end of a run is announced only once', () => {
  rememberStarted({ clientId: harbour.Id, connectorId: connector().Id, runId, name: 'Lamp shop' })
  expect([forgetStarted(runId), forgetStarted(runId)]).toEqual([true, false])
})

test('in a hidden tab the title and the icon show the end of a run until the tab is visible again', async () => {
  const icon = document.createElement('link')
  icon.rel = 'icon'
  icon.href = 'data:image/svg+xml,%3Csvg%3E%3C/svg%3E'
  document.head.append(icon)
  const plain = icon.href
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await startAndFinish('COMPLETED')
  await waitFor(() => expect(document.title).toBe('Lamp shop completed - Home - Harbour Trading - Tributary'))
  expect(icon.href).toContain('%3Ccircle')
  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(document.title).toBe('Home - Harbour Trading - Tributary')
  expect(icon.href).toBe(plain)
  icon.remove()
})
