import type { ConnectorStream } from '@tributary/contract/streams'
import type { FaultCard, RunDetail } from '@tributary/contract/runs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const shop = connector({ Log: log({ CompletedAtUtc: '2026-11-20T08:00:00Z' }) })
const one = 'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId'
const path = `/connectors/postgres/refresh?connector=${shop.Id}`
const runPath = `${path}&run=00000000-0000-4000-8000-000000000401`

const portal = {
  'GET /organisations': () => [harbour],
  'GET /roles': () => [],
  'GET /users': () => [],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/connectors': () => [shop],
} satisfies PortalHandlers

const run = (changes: Partial<RunDetail> = {}): RunDetail => ({
  Id: '00000000-0000-4000-8000-000000000401',
  ConnectorId: shop.Id,
  Status: 'FAILED',
  Mode: 'incremental',
  OnlyStreams: null,
  FromUtc: null,
  Trigger: 'schedule',
  TriggeredBy: null,
  QueuedAtUtc: '2026-11-20T08:00:00Z',
  StartedAtUtc: '2026-11-20T08:00:01Z',
  CompletedAtUtc: '2026-11-20T08:00:05Z',
  RetryAtUtc: null,
  Attempt: 1,
  FaultKind: 'settings',
  FaultCode: 'postgres.no_select',
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
  ...changes,
})

const card = (Action: Partial<FaultCard['Action']>): FaultCard => ({
  Title: 'What happened',
  What: 'In more words.',
  Data: 'right',
  DataNotice: 'Right as of the last run.',
  Who: 'An administrator.',
  Action: { Kind: 'edit', Label: 'Do it', Copy: null, AtUtc: null, ...Action },
})

async function open(detail: RunDetail, more: PortalHandlers = {}) {
  const received = fakeServer({ ...portal, [one]: () => detail, ...more })
  signedInAs()
  const { address } = renderApp(runPath)
  return { received, address, dialog: within(await screen.findByRole('dialog')) }
}

test('a fault card shows what happened, whether the data is correct, and who must act', async () => {
  const { dialog } = await open(run({ Card: card({}) }))
  const part = within(await dialog.findByRole('region', { name: 'What happened' }))
  for (const text of ['In more words.', 'Right as of the last run.', 'An administrator.', 'postgres.no_select']) {
    expect(part.getByText(text)).toBeTruthy()
  }
  expect(part.getByRole('link', { name: 'Do it' }).getAttribute('href')).toBe(
    `/connectors/postgres/manage?edit=${shop.Id}`,
  )
})

test('a missing permission is shown as the statement that grants it, to copy', async () => {
  const { dialog } = await open(
    run({ Card: card({ Kind: 'copy', Label: 'Ask for this', Copy: 'GRANT SELECT ON orders TO reader' }) }),
  )
  expect(await dialog.findByText('GRANT SELECT ON orders TO reader')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Ask for this' })).toBeTruthy()
})

test('a user who may not edit sees who must act, and no button that would be refused', async () => {
  fakeServer({ ...portal, [one]: () => run({ Card: card({}) }) })
  signedInAs({ role: 'user', roleLevel: 3 })
  renderApp(runPath)
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('An administrator.')).toBeTruthy()
  expect(dialog.queryByRole('link', { name: 'Do it' })).toBeNull()
})

test('retrying has the scope of the failed run, and opens the new run', async () => {
  const asked: unknown[] = []
  const { dialog, address } = await open(
    run({ Card: card({ Kind: 'retry', Label: 'Try again' }), OnlyStreams: ['orders'], Mode: 'full' }),
    {
      'POST /tributary/clients/:clientId/connectors/:connectorId/process': ({ body }) => {
        asked.push(body)
        return { statusCode: 202, message: 'The run has started.', RunId: '00000000-0000-4000-8000-000000000402' }
      },
    },
  )
  await userEvent.click(await dialog.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(address()).toContain('run=00000000-0000-4000-8000-000000000402'))
  expect(asked).toEqual([{ fullTransactionSync: true, streams: ['orders'] }])
})

test('an unreachable target is shown without a countdown', async () => {
  const { dialog } = await open(run({ Card: card({ Kind: 'wait', Label: 'Resumes once the target answers' }) }))
  expect(await dialog.findByText('Resumes once the target answers.')).toBeTruthy()
})

test('an old run says that there are later ones, and links to the latest', async () => {
  const { dialog } = await open(run({ Id: '00000000-0000-4000-8000-000000000409', Card: card({}) }))
  expect((await dialog.findByRole('link', { name: 'See the latest run' })).getAttribute('href')).toContain(
    `run=${shop.Log?.RunId}`,
  )
})

test('a running run is updated by its events, without polling', async () => {
  const going = run({ Status: 'RUNNING', CompletedAtUtc: null, RowsRead: 5 })
  let send: (text: string) => void = () => undefined
  const { received, dialog } = await open(going, {
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/events': () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            send = (text) => controller.enqueue(new TextEncoder().encode(text))
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  })
  await dialog.findByText('Running')
  await waitFor(() => expect(received.some((name) => name.endsWith('/events'))).toBe(true))
  send(`event: run\ndata: ${JSON.stringify({ ...going, RowsRead: 4_321 })}\n\n`)
  expect(await dialog.findByText('4,321')).toBeTruthy()
  expect(received.filter((name) => name === one)).toHaveLength(1)
})

test('cancelling asks for confirmation, and says what stays', async () => {
  const going = run({ Status: 'RUNNING', CompletedAtUtc: null })
  const { dialog, received } = await open(going, {
    'POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel': () => run({ Status: 'CANCELLED' }),
  })
  const cancels = () => received.filter((name) => name.endsWith('/cancel'))
  await userEvent.click(await dialog.findByRole('button', { name: 'Cancel run' }))
  expect(dialog.getByRole('alert').textContent).toContain('Written rows stay')
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep running' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Keep running' }))
  expect(cancels()).toHaveLength(0)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel run' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel the run' }))
  await waitFor(() => expect(cancels()).toHaveLength(1))
})

test('the log can be filtered to warnings and errors', async () => {
  const line = (Level: 'info' | 'error', Text: string) => ({ AtUtc: '2026-11-20T08:00:02Z', Level, Text })
  const { dialog } = await open(run({ Lines: [line('info', 'Started.'), line('error', 'It broke.')] }))
  expect(await dialog.findByText('Started.')).toBeTruthy()
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Lines of the log' }), 'error')
  expect(dialog.queryByText('Started.')).toBeNull()
  expect(dialog.getByText('Error: It broke.')).toBeTruthy()
})

const stream = {
  Name: 'public.orders',
  Table: 'orders',
  Renamed: [{ Table: 'orders', Column: 'Name', Name: 'Name_3f2a1c' }],
  Filter: 'country is ‘GB’',
  Licence: 'Base',
  Reads: 'whole',
  Why: 'It has no column that shows what changed.',
  Rows: 1_200,
  FreshAtUtc: '2026-11-20T08:00:00Z',
  Fault: null,
  Verification: null,
} satisfies ConnectorStream
const streams = {
  'GET /tributary/clients/:clientId/connectors/:connectorId/streams': () => [stream],
} satisfies PortalHandlers

test('one table is selected for a reload and sent as chosen', async () => {
  const asked: unknown[] = []
  fakeServer({
    ...portal,
    ...streams,
    [one]: () => run(),
    'POST /tributary/clients/:clientId/connectors/:connectorId/process': ({ body }) => {
      asked.push(body)
      return { statusCode: 202, message: 'The run has started.', RunId: '00000000-0000-4000-8000-000000000401' }
    },
  })
  signedInAs()
  renderApp(`${path}&view=reload`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Reload Web shop' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Start' }))
  expect(dialog.getByRole('alert').textContent).toBe('Choose at least one table.')
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'orders' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(asked).toEqual([{ fullTransactionSync: true, streams: ['public.orders'] }]))
})

test('Cancel asks before discarding the choices of a reload, and closes an unchanged dialog at once', async () => {
  fakeServer({ ...portal, ...streams })
  signedInAs()
  renderApp(`${path}&view=reload`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Reload Web shop' }))
  const orders = await dialog.findByRole<HTMLInputElement>('checkbox', { name: 'orders' })
  await userEvent.click(orders)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Keep editing' }))
  expect(orders.checked).toBe(true)
  await userEvent.click(orders)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Reload Web shop' })).toBeNull())
})

test('each table shows its freshness, how it is read and why', async () => {
  fakeServer({ ...portal, ...streams })
  signedInAs()
  renderApp(`${path}&view=tables`)
  const row = within(await screen.findByRole('row', { name: /orders/ }))
  const renamed = 'The source’s column ‘Name’ is called ‘Name_3f2a1c’ here.'
  const filter = 'Filtered: only rows where country is ‘GB’.'
  for (const text of ['Everything each time', 'It has no column that shows what changed.', '1,200', renamed, filter])
    expect(row.getByText(text)).toBeTruthy()
  expect(row.getByRole('link', { name: 'Reload orders' }).getAttribute('href')).toContain('table=public.orders')
})

test('a pending schema change is shown with before and after, and decided by one click', async () => {
  const asked: unknown[] = []
  const change = {
    Id: '00000000-0000-4000-8000-000000000501',
    RunId: null,
    Stream: 'public.orders',
    Table: 'orders',
    Column: 'total',
    Before: 'numeric(8,2)',
    After: 'numeric(12,2)',
    Status: 'PENDING',
    FoundAtUtc: '2026-11-20T08:00:00Z',
    DecidedAtUtc: null,
    DecidedBy: null,
  } as const
  fakeServer({
    ...portal,
    'GET /tributary/clients/:clientId/connectors/:connectorId/schema-changes': () => [change],
    'POST /tributary/clients/:clientId/connectors/:connectorId/schema-changes': ({ body }) => {
      asked.push(body)
      return [{ ...change, Status: 'ACCEPTED' }]
    },
  })
  signedInAs()
  renderApp(`${path}&view=changes`)
  const row = within(await screen.findByRole('row', { name: /orders.total/ }))
  expect(row.getByText('numeric(8,2)')).toBeTruthy()
  expect(row.getByText('numeric(12,2)')).toBeTruthy()
  await userEvent.click(row.getByRole('button', { name: 'Accept orders.total' }))
  await waitFor(() => expect(asked).toEqual([{ changes: [change.Id], decision: 'ACCEPTED' }]))
})
