import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorReadyBy, OrganisationReadyBy } from '@tributary/contract/ready-by'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const wish = { Time: '07:30', Days: [1, 2, 3, 4, 5], MaxAgeHours: 4 }
const next = {
  DueAtUtc: '2026-11-30T07:30:00.000Z',
  StartAtUtc: '2026-11-30T06:48:00.000Z',
  StartedAtUtc: null,
  RunId: null,
  Obstacle: null,
  Notice: null,
}
const none: ConnectorReadyBy = {
  Follows: 'organisation',
  Wish: null,
  OrganisationWish: null,
  TimeZone: 'Europe/London',
  Next: null,
  Counts: { Kept: 0, Missed: 0 },
  Missed: [],
}
function open(readyBy: Partial<ConnectorReadyBy> = {}, organisation: Partial<OrganisationReadyBy> = {}) {
  const shop = connector({ Log: log({ CompletedAtUtc: new Date().toISOString() }) })
  const saved: unknown[] = []
  const ofOrganisation = { Wish: null, TimeZone: 'Europe/London', Counts: none.Counts, Reasons: [], Connectors: [] }
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [shop],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/ready-by': () => ({ ...none, ...readyBy }),
    'PUT /tributary/clients/:clientId/connectors/:connectorId/ready-by': ({ body }) => {
      saved.push(body)
      return { ...none, ...readyBy }
    },
    'GET /tributary/clients/:clientId/ready-by': () => ({ ...ofOrganisation, ...organisation }),
    'PUT /tributary/clients/:clientId/ready-by': ({ body }) => {
      saved.push(body)
      return { ...ofOrganisation, ...organisation }
    },
  })
  renderApp(`/connectors/postgres/refresh?connector=${shop.Id}&view=readyBy`)
  return saved
}

// The first time, the chunks are compiled.
const dialog = () => screen.findByRole('dialog', {}, { timeout: 15_000 })

test('[SCALE-3] the view says what was kept, and when the next start is planned', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  open({ Wish: wish, OrganisationWish: wish, Next: next, Counts: { Kept: 18, Missed: 2 } })
  const view = await dialog()
  expect(
    await within(view).findByText(
      'By 07:30 on working days, with rows of at most 4 hours. On time for 18 of 20 promises in 30 days.',
    ),
  ).toBeTruthy()
  expect(within(view).getByText(/planned start/u).textContent).toContain('Next: Mon 07:30, planned start Mon 06:48.')
  expect(within(view).queryByRole('button', { name: 'Save' })).toBeNull()
})

test('[SCALE-3] a time that will be missed is a warning with what to do, and missed ones are listed with their reasons', async () => {
  signedInAs({ role: 'admin', roleLevel: 2 })
  const missed = {
    DueAtUtc: '2026-11-27T07:30:00.000Z',
    ReadyAtUtc: '2026-11-27T07:52:00.000Z',
    Reason: 'tookLonger' as const,
    Notice: 'The run took longer than its last runs. The next start is planned earlier.',
    RunId: null,
  }
  const notice = 'The workers have no room before this time. Choose another time.'
  open(
    { Wish: wish, Next: { ...next, Obstacle: 'workers', Notice: notice }, Missed: [missed] },
    { Wish: wish, Counts: { Kept: 38, Missed: 2 }, Reasons: [{ Reason: 'tookLonger', Missed: 2 }] },
  )
  const view = await dialog()
  expect(await within(view).findByText('It will not be ready in time')).toBeTruthy()
  expect(within(view).getByText(notice)).toBeTruthy()
  const list = within(view).getByRole('list', { name: 'Missed times, latest first' })
  expect(list.textContent).toContain('Fri 27 Nov, 07:30: The run took longer than usual. Ready Fri 07:52.')
  expect(await within(view).findByText(/on time for 38 of 40 promises in 30 days/u)).toBeTruthy()
  expect(within(view).getByRole('list', { name: 'Why times were missed' }).textContent).toContain(
    'The run took longer than usual: 2',
  )
})

test('[SCALE-3] an administrator gives the connector a different time, and the organisation one for all', async () => {
  signedInAs({ role: 'admin', roleLevel: 2 })
  const saved = open()
  const user = userEvent.setup()
  const view = await dialog()
  await user.click(await within(view).findByRole('radio', { name: 'A different time' }))
  const time = within(view).getByRole('textbox', { name: 'Ready by' })
  await user.clear(time)
  await user.type(time, '06:15')
  await user.click(within(view).getByRole('checkbox', { name: 'Friday' }))
  await user.selectOptions(within(view).getByRole('combobox', { name: 'With rows of at most' }), '2 hours')
  await user.click(within(view).getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => saved)
    .toEqual([{ follows: 'own', wish: { time: '06:15', days: [1, 2, 3, 4], maxAgeHours: 2 } }])
  await user.click(within(view).getByRole('radio', { name: 'No time' }))
  await user.click(await within(view).findByRole('checkbox', { name: /rows of all connectors/u }))
  await user.click(within(view).getByRole('button', { name: 'Save for the organisation' }))
  await expect.poll(() => saved.at(-1)).toEqual({ wish: { time: '07:30', days: [1, 2, 3, 4, 5], maxAgeHours: 4 } })
})
