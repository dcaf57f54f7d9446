import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ClosedPeriodChange, ClosedPeriods } from '@tributary/contract/closed-periods'
import type { ReportMark } from '@tributary/contract/report-marks'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'
import { changesCsv } from './changes-csv.ts'

afterEach(leave)

const state: ClosedPeriods = {
  IsOn: true,
  HasLedger: true,
  ReportsLockDates: true,
  AdministratorDate: null,
  Table: null,
  PeriodLockDate: '2026-06-30',
  YearEndLockDate: null,
  ClosedThrough: '2026-06-30',
  ClosedBy: 'source',
  ExaminedUpToUtc: '2026-11-20T07:00:00.000Z',
  SinceUtc: '2026-10-01T07:00:00.000Z',
  Notice: null,
  Open: 1,
  Dates: [{ From: null, To: '2026-06-30', SeenAtUtc: '2026-10-01T07:00:00.000Z' }],
}
const sales = { AccountId: 'a200', Code: '200', Name: 'Sales' }
const change: ClosedPeriodChange = {
  Id: '00000000-0000-4000-8000-000000000701',
  RunId: '00000000-0000-4000-8000-000000000702',
  Change: 'changed',
  Kind: 'Invoice',
  DocumentId: '00000000-0000-4000-8000-000000000703',
  Number: 'INV-7',
  Before: { Dates: ['2026-06-05'], Number: 'INV-7', Contact: 'Kea Cafe', Postings: [{ ...sales, Amount: '-100.00' }] },
  After: { Dates: ['2026-07-05'], Number: 'INV-7', Contact: 'Kea Cafe', Postings: [{ ...sales, Amount: '-100.00' }] },
  Moved: [{ ...sales, Before: '-100.00', After: '0.00', Moved: '112345678901234.57' }],
  ClosedThrough: '2026-06-30',
  ChangedAtUtc: '2026-11-19T10:00:00.000Z',
  SeenAtUtc: '2026-11-20T07:00:00.000Z',
  Address: 'https://go.xero.com/AccountsReceivable/View.aspx?InvoiceID=703',
  AcknowledgedAtUtc: null,
  AcknowledgedBy: null,
  Reason: null,
}

const mark: ReportMark = {
  Id: '00000000-0000-4000-8000-000000000801',
  Name: 'June 2026, board pack',
  PeriodEnd: '2026-06-30',
  MomentUtc: '2026-10-01T07:00:00.000Z',
  RunId: '00000000-0000-4000-8000-000000000702',
  CreatedBy: 'Amara Okafor',
  CreatedAtUtc: '2026-10-02T07:00:00.000Z',
  Views: ['reported_june_2026_board_pack_general_ledger'],
  Notice: null,
  SupersededAtUtc: null,
  SupersededBy: null,
  Reason: null,
  Holds: [],
  Erasures: [],
}

const path = '/tributary/clients/:clientId/connectors/:connectorId/closed-periods' as const
function open(more: PortalHandlers = {}) {
  const received = fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [books],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    [`GET ${path}`]: () => state,
    [`GET ${path}/changes`]: () => ({ Changes: [change], Total: 1, Periods: ['2026-06-01'] }),
    'GET /tributary/clients/:clientId/connectors/:connectorId/report-marks': () => [mark],
    ...more,
  })
  renderApp(`/connectors/xero/refresh?connector=${books.Id}&view=closedPeriods`)
  return received
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Harbour books' }))

test('[TRUST-10] [TRUST-11] the page shows the closed day, what each document moved, exactly, and what cannot be seen', async () => {
  signedInAs()
  open()
  const part = await dialog()
  expect(await part.findByText(/^Closed up to 30 June 2026, by the lock date of the source/)).toBeDefined()
  expect(part.getByText(/changes between two runs that cancel each other out cannot be seen/)).toBeDefined()
  const table = await part.findByRole('table', { name: 'Documents changed in closed periods, latest first' })
  expect(within(table).getByText('112,345,678,901,234.57')).toBeDefined()
  expect(
    within(table)
      .getByRole('link', { name: /Invoice INV-7/ })
      .getAttribute('href'),
  ).toBe(change.Address)
})

test('[TRUST-10] selected changes are acknowledged with a reason', async () => {
  const user = userEvent.setup()
  signedInAs()
  const acknowledged: unknown[] = []
  open({
    [`POST ${path}/acknowledgements`]: ({ body }: { readonly body: unknown }) => {
      acknowledged.push(body)
      return { Acknowledged: 1 }
    },
  })
  const part = await dialog()
  await user.click(await part.findByRole('checkbox', { name: 'Select Invoice INV-7' }))
  await user.type(part.getByRole('textbox', { name: 'Reason' }), 'Agreed with the auditor')
  await user.click(part.getByRole('button', { name: 'Acknowledge 1 selected change' }))
  expect(acknowledged).toEqual([{ changes: [change.Id], reason: 'Agreed with the auditor' }])
})

test('[TRUST-9] a mark says which tables retention leaves for it, and which of its rows were redacted, when and by whom', async () => {
  signedInAs()
  open({
    'GET /tributary/clients/:clientId/connectors/:connectorId/report-marks': () => [
      {
        ...mark,
        Holds: [{ Table: 'contact', RetentionDays: 90 }],
        Erasures: [{ Versions: 3, AtUtc: '2026-11-28T10:00:00.000Z', By: 'Amara Okafor' }],
      },
    ],
  })
  const part = await dialog()
  expect(await part.findByText('Kept for this mark despite retention: contact (90 days)')).toBeDefined()
  expect(part.getByText('3 rows redacted on 28 Nov 2026 by Amara Okafor')).toBeDefined()
})

test('[TRUST-9] a mark is listed with its views, and superseded with a reason', async () => {
  const user = userEvent.setup()
  signedInAs()
  const superseded: unknown[] = []
  open({
    'POST /tributary/clients/:clientId/connectors/:connectorId/report-marks/:markId/supersede': ({
      body,
    }: {
      readonly body: unknown
    }) => {
      superseded.push(body)
      return { ...mark, SupersededAtUtc: mark.CreatedAtUtc, SupersededBy: 'Amara Okafor', Reason: 'A late invoice' }
    },
  })
  const part = await dialog()
  expect(await part.findByText('reported_june_2026_board_pack_general_ledger')).toBeDefined()
  await user.click(part.getByRole('button', { name: 'Supersede June 2026, board pack' }))
  await user.type(part.getByRole('textbox', { name: 'Why it is superseded' }), 'A late invoice')
  await user.click(part.getByRole('button', { name: 'Supersede' }))
  expect(superseded).toEqual([{ reason: 'A late invoice' }])
})

test('[TRUST-10] a user sees the changes without settings and without acknowledging them', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  open()
  const part = await dialog()
  expect(await part.findByRole('table', { name: /^Documents changed/ })).toBeDefined()
  expect(part.queryByRole('textbox', { name: 'Reason' })).toBeNull()
  expect(part.queryByText('Settings')).toBeNull()
})

test('[TRUST-10] the export has a line for each account, with exact figures', () => {
  const [, line = ''] = changesCsv([change]).split('\r\n')
  expect(line).toContain('Invoice,INV-7,')
  expect(line).toContain(',200,Sales,-100.00,0.00,112345678901234.57,2026-06-30,')
})
