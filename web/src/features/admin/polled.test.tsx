/** What the provider's pages ask for again by themselves. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Setting } from '@tributary/contract/administration'
import type { CallName } from '@tributary/contract/calls'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, type Handlers } from '../../testing/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '../../testing/render-app.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

const setting = (Value: 'true' | 'false') =>
  ({ Key: 'ScheduledRuns', Value, Default: 'true', Description: 'Schedules fire.', ChangedAtUtc: null, ChangedBy: null }) as Setting
const everywhere: Handlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/connectors': () => [],
  'GET /approvals': () => [],
  'GET /tributary/connectors/insights': () => [],
  'GET /admin/globalconfiguration': () => [setting('true')],
}

test.each([
  ['[ADMIN-2] insights', '/admin/dashboard', 'GET /tributary/connectors/insights'],
  ['[ADMIN-3] settings', '/admin/configuration', 'GET /admin/globalconfiguration'],
] as const satisfies readonly (readonly [string, string, CallName])[])('%s are polled every ten seconds', async (_, path, name) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  const received = fakeServer(everywhere)
  renderApp(path)
  const asked = () => received.filter((each) => each === name).length
  await waitFor(() => expect(asked()).toBe(1))
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(asked()).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect(asked()).toBe(2)
})

test('[ADMIN-3] a switch that is being turned is not turned back by what is asked for meanwhile', async () => {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  const held = Promise.withResolvers<Setting>()
  const received = fakeServer({ ...everywhere, 'POST /admin/globalconfiguration': () => held.promise })
  renderApp('/admin/configuration')
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: /^Scheduled Runs/ })
  await userEvent.click(toggle)
  expect(toggle.checked).toBe(false)
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(received.filter((name) => name === 'GET /admin/globalconfiguration').length).toBeGreaterThan(1))
  expect(toggle.checked).toBe(false)
  held.resolve(setting('false'))
})
