import { screen, waitFor } from '@testing-library/react'
import type { SheetCell } from '@tributary/contract/cells'
import { afterEach, expect, test } from 'vitest'
import { storeSession } from '../api/session.ts'
import { fakeServer, fault } from '@tributary/testing/addin/fake-server.ts'
import { chooseTable, goToCheck, openPane, plan, press, usual } from '@tributary/testing/addin/open-pane.tsx'
import { leave, renderPart } from '@tributary/testing/addin/render.tsx'
import { check, harbour, id, load, loaded, session } from '@tributary/testing/addin/samples.ts'
import { openWorkbook } from '@tributary/testing/addin/workbook.ts'
import { Pane } from './pane.tsx'

afterEach(leave)

test('[ENG-5] [VER-3] a sheet is loaded exactly, from its cells to the receipt, with names chosen for the dimensions without a column', async () => {
  const pane = openPane()
  await chooseTable(pane)
  expect(screen.getByText('B2SBudget2026 in the database')).toBeTruthy()
  expect(screen.queryByLabelText('Area')).toBeNull()
  expect((await screen.findByLabelText<HTMLSelectElement>('Entity')).value).toBe('Harbour Ltd')
  await pane.user.selectOptions(screen.getByLabelText('Milestone'), 'Draft')
  await press(pane, 'Preview')
  expect(await screen.findByText('0.30000000000000004')).toBeTruthy()

  await press(pane, 'Check 2 rows')
  expect(await screen.findByText('2 rows can be loaded.')).toBeTruthy()
  expect(pane.named('POST /loads')[0]?.body).toEqual({
    comOrganisationId: harbour.Id,
    versionId: id(10),
    source: 'addin',
    workbook: 'budget.xlsx',
    sheet: 'Plan',
    firstRow: 2,
    firstColumn: 1,
    columns: ['Area', 'Subarea', 'Amount'],
    types: [],
    entity: 'Harbour Ltd',
    milestone: 'Draft',
  })
  const rows: SheetCell[][] = [
    ['Quay', 'Berth 1', { n: '0.30000000000000004' }],
    ['Quay', 'Berth 2', { n: '-4' }],
  ]
  expect(pane.named('PUT /loads/:loadId/chunks/:number')[0]?.body).toEqual({ rows })
  expect(screen.getByText('−3.7')).toBeTruthy()
  expect(screen.getByText(/Replaces 5 rows, loaded by Jonas Weber on/)).toBeTruthy()

  await press(pane, 'Load 2 rows')
  await screen.findByRole('heading', { name: 'Receipt for Budget 2026' })
  expect(pane.named('POST /loads/:loadId/commit')[0]?.body).toEqual({ seen: 'seen-1' })
  expect(screen.getByText('2 rows are in Budget 2026.')).toBeTruthy()
})

test('[ENG-5] [ISSUE 20 C14] a new column is listed before the check with its inferred type; another type can be chosen', async () => {
  const pane = openPane()
  await chooseTable(pane, id(16))
  await press(pane, 'Preview')
  const type = await screen.findByLabelText<HTMLSelectElement>('Amount')
  expect(type.options[0]?.textContent).toBe('Most cells decide (number by the first rows)')
  await pane.user.selectOptions(type, 'text')
  await press(pane, 'Check 2 rows')
  await screen.findByText('2 rows can be loaded.')
  expect(pane.named('POST /loads')[0]?.body).toMatchObject({ types: [{ column: 'Amount', type: 'text' }] })
})

test('[HELP-2] a helper table has no dimensions, so none is chosen', async () => {
  const pane = openPane()
  await chooseTable(pane, id(16))
  expect(screen.queryByLabelText('Entity')).toBeNull()
  await press(pane, 'Preview')
  await press(pane, 'Check 2 rows')
  await screen.findByText('2 rows can be loaded.')
  expect(pane.named('POST /loads')[0]?.body).toMatchObject({ helperTableId: id(16) })
})

test('[ENG-5] only what the user may use is offered; a locked table is shown with the reason', async () => {
  const pane = openPane({}, { rows: [['Amount'], [1]] })
  await chooseTable(pane)
  const closed = screen.getByRole<HTMLOptionElement>('option', {
    name: 'Actuals – it is locked, or all its milestones are',
  })
  expect(closed.disabled).toBe(true)
  const options = (label: string) =>
    [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ textContent }) => textContent).slice(1)
  await screen.findByLabelText('Area')
  expect(options('Milestone')).toEqual(['Draft', 'Second draft'])
  await pane.user.selectOptions(screen.getByLabelText('Area'), 'Quay')
  expect(options('Subarea')).toEqual(['Berth 1', 'Berth 2'])
})

test('[SCALE-4] of more organisations than the pane loads, one is found by its name on the server, and the session’s one is among the choices', async () => {
  const far = { ...harbour, Id: '00000000-0000-4000-8000-000000009001', CompanyName: 'Quay far behind' }
  const asked: string[] = []
  const pane = openPane({
    'GET /organisations': ({ query }) => {
      asked.push(query.toString())
      if (query.has('id')) return [harbour]
      if (query.has('search')) return query.get('search') === 'quay' ? [far] : []
      return Array.from({ length: 1_000 }, (_, index) => ({
        ...harbour,
        Id: `00000000-0000-4000-8000-00000001${String(index).padStart(4, '0')}`,
        CompanyName: `Loaded ${index}`,
      }))
    },
  })
  await screen.findByLabelText('Organisation')
  const select = () => screen.getByLabelText<HTMLSelectElement>('Organisation')
  // By role, a thousand options take seconds.
  const offered = () => [...select().options].map(({ textContent }) => textContent)
  expect(select().selectedOptions[0]?.textContent).toBe(harbour.CompanyName)
  await waitFor(() => expect(offered()).toHaveLength(1_001), { timeout: 15_000 })
  await pane.user.type(screen.getByLabelText('Find an organisation'), 'quay')
  await waitFor(() => expect(offered()).toEqual([harbour.CompanyName, far.CompanyName]), { timeout: 15_000 })
  await pane.user.selectOptions(select(), far.Id)
  await pane.user.clear(screen.getByLabelText('Find an organisation'))
  await waitFor(() => expect(offered()).toContain('Loaded 0'), { timeout: 15_000 })
  expect(select().value).toBe(far.Id)
  expect(asked).toContain('search=quay&pageSize=100')
  expect(pane.named('GET /loads/tables').at(-1)?.query.get('orgId')).toBe(far.Id)
})

test('a user without tables or without the right to load sees whom to ask', async () => {
  openPane({ 'GET /loads/tables': () => [] })
  expect(await screen.findByText('There is no table that you may use.')).toBeTruthy()
  leave()
  const notAllowed = () =>
    fault(403, 'notAllowed', 'Your role does not allow this. Ask an administrator of your organisation.')
  openPane({ 'GET /loads/tables': notAllowed })
  expect(
    await screen.findByText('Your role does not allow this. Ask an administrator of your organisation.'),
  ).toBeTruthy()
})

const failedCheck = {
  ...check,
  ErrorCount: 2,
  Errors: [
    { Cell: 'C4', Column: 'Amount', Value: 'x', Message: 'It is no number.' },
    { Cell: null, Column: null, Value: null, Message: 'The milestone ‘Draft’ is locked.' },
  ],
}

test('[ENG-5] errors are listed and highlighted; a click selects the cell; after the fix the sheet is read again', async () => {
  const replies = [failedCheck, check]
  const pane = openPane({ 'POST /loads/:loadId/check': () => replies.shift() ?? check })
  await goToCheck(pane)
  expect(await screen.findByText('2 problems to fix.')).toBeTruthy()
  expect(screen.getByText(/The milestone ‘Draft’ is locked\./)).toBeTruthy()
  expect([...pane.workbook.fills.keys()]).toEqual(['C4'])
  expect(screen.queryByRole('button', { name: /^Load/ })).toBeNull()
  expect(screen.queryByText('Totals before and after'), 'totals of only the valid rows').toBeNull()
  await press(pane, 'Go to C4')
  expect(pane.workbook.selected).toBe('C4')

  await press(pane, 'Read the sheet again')
  expect(await screen.findByText('2 rows can be loaded.')).toBeTruthy()
  expect(pane.named('DELETE /loads/:loadId')).toHaveLength(1)
  expect(pane.named('POST /loads')).toHaveLength(2)
  expect(pane.workbook.fills.size).toBe(0)
})

test('a load that is cancelled during the transfer is cancelled on the server, too', async () => {
  const { promise, resolve } = Promise.withResolvers<{ Rows: number }>()
  const pane = openPane({ 'PUT /loads/:loadId/chunks/:number': () => promise })
  await chooseTable(pane)
  await pane.user.selectOptions(await screen.findByLabelText('Milestone'), 'Draft')
  await press(pane, 'Preview')
  await press(pane, 'Check 2 rows')
  await screen.findByText('0 of 2 rows')
  await press(pane, 'Cancel')
  await screen.findByRole('heading', { name: 'What goes where' })
  expect(pane.named('DELETE /loads/:loadId')).toHaveLength(1)
  resolve({ Rows: 2 })
  expect(pane.named('POST /loads/:loadId/check')).toHaveLength(0)
})

test('a sheet that changes during the transfer is not loaded in part', async () => {
  const pane = openPane({
    'PUT /loads/:loadId/chunks/:number': () => {
      pane.workbook.change()
      return { Rows: 2 }
    },
  })
  await chooseTable(pane)
  await pane.user.selectOptions(await screen.findByLabelText('Milestone'), 'Draft')
  await press(pane, 'Preview')
  await press(pane, 'Check 2 rows')
  expect(
    await screen.findByText(
      'The sheet was changed meanwhile. Nothing was loaded. Read it again when everybody has finished.',
    ),
  ).toBeTruthy()
  expect(pane.named('POST /loads/:loadId/check')).toHaveLength(0)
  expect(screen.getByRole('button', { name: 'Read it again' })).toBeTruthy()
})

test('a concurrent load is reported with its user, and the check is repeated', async () => {
  const message =
    'Jonas Weber loaded Quay meanwhile. Nothing of yours was loaded. Check again to see what it would replace now.'
  const pane = openPane({ 'POST /loads/:loadId/commit': () => fault(409, 'sliceChanged', message) })
  await goToCheck(pane)
  await press(pane, 'Load 2 rows')
  expect(await screen.findByText(message)).toBeTruthy()
  await press(pane, 'Check again')
  expect(await screen.findByText('2 rows can be loaded.')).toBeTruthy()
  expect(screen.queryByText(message)).toBeNull()
  expect(pane.named('POST /loads/:loadId/check')).toHaveLength(2)
})

test('a commit whose reply was lost is looked up, not repeated', async () => {
  const pane = openPane({
    'POST /loads/:loadId/commit': () => {
      throw new TypeError('Failed to fetch')
    },
    'GET /loads/:loadId': () => loaded,
  })
  await goToCheck(pane)
  await press(pane, 'Load 2 rows')
  await screen.findByRole('heading', { name: 'Receipt for Budget 2026' })
  expect(pane.named('POST /loads/:loadId/commit')).toHaveLength(1)
})

test('a receipt is found in the history and undone; if another user has loaded since, the message says so', async () => {
  const message = 'Jonas Weber has loaded Quay since. Undo that load first, or load the rows you want.'
  const undoing = load({ Id: id(41), Status: 'LOADED', Undoes: id(40), CommittedAtUtc: '2026-11-20T09:05:00Z' })
  const replies = [fault(409, 'undoConflict', message), undoing]
  const pane = openPane({
    'GET /loads': ({ query }) => (query.get('search') === 'nothing' ? [] : [loaded]),
    'POST /loads/:loadId/undo': () => replies.shift() ?? undoing,
  })
  await press(pane, 'History')
  await pane.user.type(await screen.findByLabelText('Search'), 'nothing')
  expect(await screen.findByText('No load has ‘nothing’ in it. Search for less.')).toBeTruthy()
  await pane.user.clear(screen.getByLabelText('Search'))
  await press(pane, /Budget 2026.*Loaded/)
  await press(pane, 'Undo')
  expect(await screen.findByText('2 rows leave Budget 2026, and the former 5 rows come back.')).toBeTruthy()
  await press(pane, 'Undo the load')
  expect(await screen.findByText(message)).toBeTruthy()
  await press(pane, 'Try again')
  expect(await screen.findByText('Budget 2026 is as it was before that load.')).toBeTruthy()
  expect(pane.named('POST /loads/:loadId/undo')[0]?.body).toEqual({ source: 'addin' })
})

test('the workbook stores the choices; those that are not allowed any more are ignored', async () => {
  const pane = openPane()
  await goToCheck(pane)
  expect(pane.workbook.settings.get('tributary.choices')).toMatchObject({
    tableId: id(10),
    names: { Milestone: 'Draft' },
  })
  leave()
  const reopened = openWorkbook(plan)
  reopened.settings.set('tributary.choices', {
    organisationId: harbour.Id,
    tableId: id(10),
    source: 'sheet',
    names: { Milestone: 'Final', Area: 7 },
  })
  storeSession(session())
  fakeServer(usual)
  renderPart(<Pane host="excel" />)
  expect((await screen.findByLabelText<HTMLSelectElement>('Milestone')).value).toBe('')
  expect(screen.getByLabelText<HTMLSelectElement>('Table').value).toBe(id(10))
})

test('the heading row that was chosen for one sheet does not apply to another sheet', async () => {
  const chosen = { organisationId: harbour.Id, tableId: id(10), source: 'sheet', headingRow: 3, names: {} }
  const rowChosenFor = async (headingSheet: string) => {
    leave()
    openWorkbook(plan).settings.set('tributary.choices', { ...chosen, headingSheet })
    storeSession(session())
    fakeServer(usual)
    renderPart(<Pane host="excel" />)
    return (await screen.findByLabelText<HTMLSelectElement>('Row with the headings')).value
  }
  expect(await rowChosenFor('sheet-1')).toBe('3')
  expect(await rowChosenFor('sheet-2')).toBe('1')
})

test('texts about a single row are in the singular, and without former rows none is said to come back', async () => {
  const one = { ...loaded, Rows: 1, RowsBefore: 0 }
  const pane = openPane({ 'GET /loads': () => [one] })
  await press(pane, 'History')
  await press(pane, /Budget 2026.*Loaded/)
  expect(await screen.findByText('1 row is in Budget 2026.')).toBeTruthy()
  await press(pane, 'Undo')
  expect(await screen.findByText('1 row leaves Budget 2026. There were no rows before.')).toBeTruthy()
})

test('the loads on screen stay while more are fetched', async () => {
  const many = Array.from({ length: 25 }, (_, at) => ({ ...loaded, Id: id(100 + at) }))
  const pane = openPane({
    'GET /loads': ({ query }) => (query.get('pageSize') === '25' ? many : new Promise<never>(() => {})),
  })
  await press(pane, 'History')
  await press(pane, 'Show more')
  expect(await screen.findByText('Looking for loads…')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /Budget 2026.*Loaded/ })).toHaveLength(25)
})
