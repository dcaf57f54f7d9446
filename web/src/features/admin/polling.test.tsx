/** Polling on the administration pages. */
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
}
const setting = {
  Key: 'RequireMultiFactorAuthentication',
  Value: 'false',
  Description: '',
  Default: 'false',
  ChangedAtUtc: null,
  ChangedBy: null,
}

const passTenSeconds = () => act(() => vi.advanceTimersByTimeAsync(10_000))

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
}

test('[ADMIN-2] the insights are polled every ten seconds', async () => {
  fakeTimers()
  signedInAs({ role: 'provideradmin', roleLevel: 1 })
  let running = 'Web shop'
  const received = fakeServer({
    ...everywhere,
    'GET /approvals': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/connectors/insights': () => [
      {
        ClientConnectorId: '00000000-0000-4000-8000-000000000201',
        ClientConnectorName: running,
        ClientName: 'Harbour Trading',
        ManuallyTriggeredAtUtc: null,
        AutomaticallyTriggeredAtUtc: null,
      },
    ],
  })
  renderApp('/admin/dashboard')
  await vi.waitFor(() => expect(screen.getByText('Web shop')).toBeDefined())
  const asked = () => received.filter((name) => name === 'GET /tributary/connectors/insights').length
  const before = asked()
  running = 'Cash desk'
  await passTenSeconds()
  expect(asked()).toBe(before + 1)
  expect(screen.getByText('Cash desk')).toBeDefined()
  await passTenSeconds()
  expect(asked()).toBe(before + 2)
})

test('[ADMIN-3] the switches are polled every ten seconds, and a poll during a change does not flip a switch back', async () => {
  fakeTimers()
  signedInAs({ role: 'provideradmin', roleLevel: 1 })
  const saved = Promise.withResolvers<typeof setting>()
  let polled: Promise<(typeof setting)[]> = Promise.resolve([setting])
  const received = fakeServer({
    ...everywhere,
    'GET /admin/globalconfiguration': () => polled,
    'POST /admin/globalconfiguration': () => saved.promise,
  })
  renderApp('/admin/configuration')
  await vi.waitFor(() => expect(screen.getByRole('switch')).toBeDefined())
  const toggle = screen.getByRole<HTMLInputElement>('switch')
  const asked = () => received.filter((name) => name === 'GET /admin/globalconfiguration').length
  const before = asked()
  await passTenSeconds()
  expect(asked()).toBe(before + 1)

  fireEvent.click(toggle)
  await passTenSeconds()
  expect(asked()).toBe(before + 2)
  expect(toggle.checked).toBe(true)

  // This reply has the value from before the change, and arrives after it.
  const late = Promise.withResolvers<(typeof setting)[]>()
  polled = late.promise
  await passTenSeconds()
  expect(asked()).toBe(before + 3)
  await act(async () => saved.resolve({ ...setting, Value: 'true' }))
  await act(async () => late.resolve([setting]))
  await vi.waitFor(() => expect(screen.getByText('Require Multi Factor Authentication is on.')).toBeDefined())
  expect(toggle.checked).toBe(true)
})
