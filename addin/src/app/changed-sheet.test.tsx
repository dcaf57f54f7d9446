import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { chooseTable, goToCheck, openPane, press } from '@tributary/testing/addin/open-pane.tsx'
import { leave } from '@tributary/testing/addin/render.tsx'
import { check, loaded } from '@tributary/testing/addin/samples.ts'

afterEach(leave)

/** A sheet that a test changes while the pane is open. */
const sheet = (): unknown[][] => [
  ['Budget of the harbour', '', ''],
  ['Area', 'Subarea', 'Amount'],
  ['Quay', 'Berth 1', 1],
  ['Quay', 'Berth 2', -4],
]

async function goToPreview(pane: ReturnType<typeof openPane>): Promise<void> {
  await chooseTable(pane)
  await pane.user.selectOptions(await screen.findByLabelText('Milestone'), 'Draft')
  await press(pane, 'Preview')
}

test.each([
  ['a row', (rows: unknown[][]) => rows.push(['Quay', 'Berth 1', 9])],
  ['a column', (rows: unknown[][]) => rows.forEach((row, at) => row.splice(2, 0, at === 1 ? 'Last year' : at))],
])(
  '%s that was added after the preview is not lost and gets no other heading: the sheet is read again',
  async (_, change) => {
    const rows = sheet()
    const pane = openPane({}, { rows })
    await goToPreview(pane)
    change(rows)
    await press(pane, 'Check 2 rows')
    expect(await screen.findByText(/The sheet was changed meanwhile\./)).toBeTruthy()
    expect(pane.named('PUT /loads/:loadId/chunks/:number')).toEqual([])
    await press(pane, 'Read it again')
    await screen.findByRole('heading', { name: 'The check' })
    expect(
      pane.named('PUT /loads/:loadId/chunks/:number').map(({ body }) => (body as { rows: unknown[] }).rows.length),
    ).toEqual([rows.length - 2])
    expect(pane.named('POST /loads').at(-1)?.body).toMatchObject({ firstRow: 2, columns: rows[1] })
  },
)

const failedCheck = {
  ...check,
  ErrorCount: 1,
  Errors: [{ Cell: 'C4', Column: 'Amount', Value: 'x', Message: 'It is no number.' }],
}

test('headings that the user moves or corrects are found at their new position', async () => {
  const rows = sheet()
  const pane = openPane({ 'POST /loads/:loadId/check': () => failedCheck }, { rows })
  await goToCheck(pane)
  rows.shift()
  rows[0] = ['Area', 'Subarea', 'Figure']
  await press(pane, 'Read the sheet again')
  await waitFor(() => expect(pane.named('POST /loads')).toHaveLength(2))
  expect(pane.named('POST /loads')[1]?.body).toMatchObject({ firstRow: 1, columns: ['Area', 'Subarea', 'Figure'] })
})

test('if the headings are gone, no row of figures is mistaken for them', async () => {
  const rows = sheet()
  const pane = openPane({ 'POST /loads/:loadId/check': () => failedCheck }, { rows })
  await goToCheck(pane)
  rows.splice(0, 2)
  await press(pane, 'Read the sheet again')
  expect(await screen.findByText(/The headings are not there any more\./)).toBeTruthy()
  expect(pane.named('POST /loads')).toHaveLength(1)
})

test('nothing is sent while a cell is being edited, and the transfer continues afterwards', async () => {
  const pane = openPane()
  await goToPreview(pane)
  pane.workbook.isTyping = true
  await press(pane, 'Check 2 rows')
  expect(await screen.findByText(/Excel waits for a cell that is being typed in\./)).toBeTruthy()
  pane.workbook.isTyping = false
  await press(pane, 'Continue')
  expect(await screen.findByText('2 rows can be loaded.')).toBeTruthy()
})

test('a load that was committed although the reply was lost shows its receipt, not an error of the check', async () => {
  let isCommitted = false
  const loadEnded = () =>
    Response.json({ statusCode: 409, code: 'loadEnded', message: 'This load has ended (loaded).' }, { status: 409 })
  const pane = openPane({
    'POST /loads/:loadId/check': () => (isCommitted ? loadEnded() : check),
    'POST /loads/:loadId/commit': () => {
      isCommitted = true
      throw new TypeError('Failed to fetch')
    },
    'GET /loads/:loadId': () => {
      if (pane.named('GET /loads/:loadId').length === 1) throw new TypeError('Failed to fetch')
      return loaded
    },
  })
  await goToCheck(pane)
  await press(pane, 'Load 2 rows')
  await press(pane, 'Check again')
  expect(await screen.findByRole('heading', { name: 'Receipt for Budget 2026' })).toBeTruthy()
})
