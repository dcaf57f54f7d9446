import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const ended = '2026-11-20T08:00:00.000Z'
const postgres: ConnectorType = {
  Id: '00000000-0000-4000-8000-000000000301',
  Type: 'postgres',
  Title: 'PostgreSQL',
  Description: 'Tables and views.',
  Needs: 'A user that may read.',
  Guide: [],
  Licences: [],
  Kind: 'database',
  IsEarlyStages: false,
  RequiresAuthorisation: false,
  DefaultSchedule: '0 6 * * *',
  Sections: [],
  Targets: [],
  Demo: null,
}
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

function open(connectors: readonly Connector[], more: PortalHandlers = {}, path = '/connectors/postgres/refresh') {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /roles': () => [],
    'GET /users': () => [],
    'GET /tributary/clients/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [...connectors],
    ...more,
  })
  return renderApp(path)
}

const card = async (name = 'Web shop') => within(await screen.findByRole('article', { name }))

test('[DASH-2] a card of a connector that never ran says so, with its schedule', async () => {
  signedInAs()
  open([
    connector({ Schedule: '0 6 * * *', NextRunAtUtc: new Date(Date.now() + 3 * 3_600_000 + 60_000).toISOString() }),
  ])
  const shop = await card()
  expect(shop.getByText('Never started')).toBeTruthy()
  expect(shop.getByText('Every day at 06:00')).toBeTruthy()
  expect(shop.getByText(/in 3 hours/)).toBeTruthy()
})

test('a filter chosen before the previous one was rendered does not undo it', async () => {
  signedInAs()
  const { address } = open([connector()], {}, '/connectors/postgres/refresh?status=never')
  await card()
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /^All/ }))
    // The URL has changed by now, but nothing has been rendered: that happens when this callback returns.
    await new Promise((resolve) => setTimeout(resolve, 0))
    fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'recent' } })
  })
  expect(address()).toBe('/connectors/postgres/refresh?sort=recent')
})

test('[DASH-2] a card shows the original name if it differs, and the organisation that shares the connector', async () => {
  signedInAs()
  open([connector({ OriginalName: 'PostgreSQL', SharedBy: 'Quayside Group' })])
  const shop = await card()
  expect(shop.getByText('PostgreSQL · Shared by Quayside Group')).toBeTruthy()
  // Its settings, and therefore reloading, belong to the other organisation.
  expect(shop.queryByRole('button', { name: 'Only some tables, or from a date' })).toBeNull()
})

test('[DASH-2] ten users are shown, then the number of the others', async () => {
  const people = Array.from({ length: 13 }, (_, index) => idOf(index))
  signedInAs()
  open([connector({ Properties: [{ Name: 'portal.user', Value: people.join(' '), ClientConnectorId: idOf(0) }] })], {
    'GET /users': () => people.map((Id) => ({ Id, FirstName: 'Ana', LastName: 'Lund' })),
  })
  const shop = await card()
  await waitFor(() =>
    expect(within(shop.getByRole('list', { name: 'People who see Web shop' })).getAllByRole('img')).toHaveLength(10),
  )
  expect(shop.getByText('+ 3')).toBeTruthy()
})

test('an unreachable target is shown with the time since when the schedule waits, and Refresh stays enabled', async () => {
  signedInAs()
  open([connector({ Log: log({ CompletedAtUtc: ended, HasError: true }), TargetDownSinceUtc: ended })])
  const shop = await card()
  expect(shop.getByText(/^The schedule has been waiting for the target since/).textContent).toMatch(
    /since \w{3},? \d\d:\d\d\. It resumes automatically\.$/,
  )
  expect(shop.getByRole('button', { name: 'Refresh' }).hasAttribute('disabled')).toBe(false)
})

test('a run that waits for the source shows the reason on the card, and links to when it resumes', async () => {
  signedInAs()
  const waitingLog = log({
    AutomaticallyTriggeredAtUtc: new Date().toISOString(),
    Notice: 'The calls of the day are used up.',
  })
  const waiting = connector({
    Log: waitingLog,
    RecentRuns: [{ Id: waitingLog.RunId, Status: 'WAITING', QueuedAtUtc: ended }],
    Schedule: '0 6 * * *',
  })
  open([waiting])
  const shop = await card()
  expect(shop.getByText('It is waiting and resumes automatically. The calls of the day are used up.')).toBeTruthy()
  expect(shop.getByRole('link', { name: 'When does it resume?' }).getAttribute('href')).toContain(
    `run=${waitingLog.RunId}`,
  )
  expect(shop.queryByText('Every day at 06:00')).toBeNull()
})

test('pending schema changes are counted, with a link to decide them', async () => {
  signedInAs()
  const asking = connector({ Log: log({ CompletedAtUtc: ended }), PendingChanges: 2 })
  open([asking])
  const link = (await card()).getByRole('link', { name: '2 schema changes for you to review' })
  expect(link.getAttribute('href')).toContain(`connector=${asking.Id}&view=changes`)
})

test('[DASH-6] only administrators get a link to the settings of a connector that may have been disconnected', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  open([connector({ Log: log({ CompletedAtUtc: ended, HasError: true, Forbidden: true }) })])
  const shop = await card()
  expect(shop.getAllByText('This connector may have been disconnected.').length).toBeGreaterThan(0)
  expect(shop.queryByRole('link', { name: 'Retry' })).toBeNull()
})

test('[DASH-5] the server’s reply to a refresh is shown on the card', async () => {
  signedInAs()
  open([connector()], {
    'POST /tributary/clients/:clientId/connectors/:connectorId/process': () =>
      fault(
        409,
        'alreadyRunning',
        'This connector is already running. Wait until it is done, or cancel the run first.',
      ),
  })
  const shop = await card()
  await userEvent.click(shop.getByRole('button', { name: 'Refresh' }))
  expect((await shop.findByRole('alert')).textContent).toContain('This connector is already running.')
})

test('fifty connectors are shown as a table, and as cards if chosen', async () => {
  signedInAs()
  const { address } = open(
    Array.from({ length: 50 }, (_, index) => connector({ Id: idOf(index + 500), Name: `Shop ${index}` })),
  )
  await waitFor(() => expect(document.querySelectorAll('tbody tr')).toHaveLength(50))
  await userEvent.click(screen.getByLabelText('Cards'))
  expect(document.querySelectorAll('article')).toHaveLength(50)
  expect(address()).toContain('layout=cards')
})

test('[DASH-7] a user without connectors is asked to contact an administrator, and an administrator to connect one', async () => {
  signedInAs({ role: 'guest', roleLevel: 4 })
  open([])
  expect(await screen.findByText('Nothing much to do here.')).toBeTruthy()
  expect(screen.getByText('Please ask your administrator for permission to see connectors.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Add connector' })).toBeNull()
})
