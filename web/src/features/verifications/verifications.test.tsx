import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { RowDifference, VerifiedTable } from '@tributary/contract/verifications'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { sourceVerification } from '@tributary/testing/web/verification-samples.ts'

afterEach(leave)

const today = new Date().toISOString()
const table = (Name: string, changes: Partial<VerifiedTable> = {}): VerifiedTable => ({
  Name: `public.${Name}`,
  Table: Name,
  State: 'identical',
  Method: 'checksums',
  CheckedAtUtc: today,
  Rows: 50_271,
  Differences: 0,
  NewerRows: 0,
  ColumnsRowByRow: 0,
  ProvenAtUtc: today,
  Notice: null,
  Columns: 5,
  Repaired: 0,
  RowsSoFar: null,
  ...changes,
})
const difference: RowDifference = {
  Id: 1,
  Stream: 'public.sale',
  Table: 'sale',
  Kind: 'different',
  Key: { id: '7' },
  Columns: [
    { Name: 'note', Source: 'late  ', Target: '' },
    { Name: 'total', Source: '12.30', Target: null },
  ],
  Cause: 'stampNotMoved',
  IsRepaired: false,
  FoundAtUtc: today,
}
const source = sourceVerification({ Tables: 3, Verified: 2, Differing: 1, Differences: 3, Rows: 60_000 })
const path = '/tributary/clients/:clientId/connectors/:connectorId/verification' as const

function open(more: PortalHandlers = {}, tables: readonly VerifiedTable[] = []) {
  const shop = connector({ Verification: source, Log: log({ CompletedAtUtc: today }) })
  const received = fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [shop],
    'GET /users': () => [],
    [`GET ${path}`]: () => ({
      Source: source,
      Tables: [
        table('sale', { State: 'different', Differences: 3, ProvenAtUtc: null }),
        table('customer', { ColumnsRowByRow: 2 }),
        table('invoice', { State: 'none', CheckedAtUtc: null, ProvenAtUtc: null, Rows: 0 }),
        ...tables,
      ],
      Settings: { Schedule: '0 2 * * 0', TimeZone: 'Europe/London', NextAtUtc: today, SecondsAfterRuns: 20 },
    }),
    [`GET ${path}/differences`]: () => [difference],
    ...more,
  })
  renderApp(`/connectors/postgres/refresh?connector=${shop.Id}&view=verification`)
  return received
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Web shop' }))

test('[TRUST-2] each table says that it was verified identical, when and how many rows, or what differs', async () => {
  signedInAs()
  open()
  const rows = within(await (await dialog()).findByRole('table', { name: /^Tables of the connector/ })).getAllByRole(
    'row',
  )
  const texts = rows.map((row) => row.textContent)
  expect(texts[1]).toContain('3 rows differ')
  expect(texts[2]).toMatch(/Verified identical \d\d:\d\d, 50,271 rows/u)
  expect(texts[2]).toContain('2 of 5 columns were compared row by row.')
  expect(texts[3]).toContain('Not verified yet')
})

test('[TRUST-1] a table says how many rows were left out, and why', async () => {
  signedInAs()
  open({}, [table('order', { NewerRows: 3 })])
  const list = within(await (await dialog()).findByRole('table', { name: /^Tables of the connector/ }))
  const text = list.getAllByRole('row').at(-1)?.textContent
  expect(text).toMatch(/50,271 rows, 3 not compared yet/u)
  expect(text).toContain('3 rows have changed in the source since the last run. They are compared after the next run.')
})

test('[TRUST-2] rows that differ show both values, with blanks that are visible, and the cause in words', async () => {
  signedInAs()
  open()
  const list = within(await (await dialog()).findByRole('table', { name: 'Rows that differ from the source' }))
  const [, row] = list.getAllByRole('row')
  for (const text of ['id 7', 'late␣␣', '(empty)', '12.30', 'NULL', 'Not repaired', 'without moving its change stamp'])
    expect(row?.textContent).toContain(text)
})

test('[TRUST-2] a repair is confirmed first; verifying is not', async () => {
  const asked: unknown[] = []
  signedInAs()
  open({
    [`POST ${path}`]: ({ body }: { body: unknown }) => {
      asked.push(body)
      return {
        statusCode: 202,
        message: 'The verification has started.',
        RunId: '00000000-0000-4000-8000-000000000401',
      }
    },
  })
  await userEvent.click(await (await dialog()).findByRole('button', { name: 'Repair sale' }))
  const confirm = within(await screen.findByRole('dialog', { name: 'Repair sale' }))
  expect(confirm.getByText('Rows that only the target has are deleted.')).toBeTruthy()
  await userEvent.click(confirm.getByRole('button', { name: 'Repair' }))
  expect(asked).toEqual([{ repair: true, streams: ['public.sale'] }])
})

test('[TRUST-2] a user sees the rows and verifies, but does not repair; a guest sees no values', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  open()
  expect(await (await dialog()).findByRole('button', { name: 'Verify sale' })).toBeTruthy()
  expect((await dialog()).queryByRole('button', { name: 'Repair sale' })).toBeNull()
  expect((await dialog()).queryByRole('button', { name: 'Repair all' })).toBeNull()
  leave()
  signedInAs({ role: 'guest', roleLevel: 4 })
  open()
  expect(await (await dialog()).findByRole('button', { name: 'Verify sale' })).toBeTruthy()
  expect((await dialog()).queryByRole('table', { name: 'Rows that differ from the source' })).toBeNull()
})

test('[TRUST-2] an administrator chooses when the tables are verified', async () => {
  const saved: unknown[] = []
  signedInAs()
  open({
    [`PUT ${path}/settings`]: ({ body }: { body: unknown }) => {
      saved.push(body)
      return { Schedule: null, TimeZone: 'Europe/London', NextAtUtc: null, SecondsAfterRuns: 300 }
    },
  })
  const view = await dialog()
  await userEvent.selectOptions(await view.findByRole('combobox', { name: 'All tables' }), 'Only when asked')
  await userEvent.selectOptions(view.getByRole('combobox', { name: 'After each run' }), 'Up to 5 minutes')
  await userEvent.click(view.getByRole('button', { name: 'Save' }))
  expect(saved).toEqual([{ schedule: null, secondsAfterRuns: 300 }])
})

test.each([
  ['differs', '3 rows differ', source],
  [
    'proven',
    /^Verified identical \d\d:\d\d, 50,271 rows$/u,
    sourceVerification({ Verdict: 'proven', Tables: 2, Verified: 2, Rows: 50_271, CheckedAtUtc: today }),
  ],
  [
    'proven',
    /50,271 rows, 1 not compared yet$/u,
    sourceVerification({ Verdict: 'proven', Tables: 1, Verified: 1, Rows: 50_271, NewerRows: 1, CheckedAtUtc: today }),
  ],
  [
    'sampled',
    /^Sample identical/u,
    sourceVerification({ Verdict: 'sampled', Tables: 2, Verified: 2, Rows: 120, CheckedAtUtc: today }),
  ],
  ['not provable', 'Nothing to compare with', sourceVerification({ Verdict: 'notProvable', Tables: 1, Verified: 1 })],
  ['not proven yet', '1 of 2 tables verified', sourceVerification({ Tables: 2, Verified: 1 })],
] as const)('[TRUST-2] [TRUST-5] the card of a connector has the verdict: %s', async (badge, text, Verification) => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [connector({ Verification })],
    'GET /users': () => [],
  })
  renderApp('/connectors/postgres/refresh')
  const shop = within(await screen.findByRole('article', { name: 'Web shop' }))
  expect(shop.getByText(badge)).toBeTruthy()
  expect(shop.getByRole('link', { name: text })).toBeTruthy()
})
