import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, session, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { check, everywhere, id, load, loaded, loadId, readFile } from '@tributary/testing/web/load-samples.ts'

// The chunks of the pages are loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./loads-page.tsx'))
afterEach(leave)

async function drop(name = 'plan.xlsx'): Promise<void> {
  const place = await screen.findByRole('region', { name: 'File' })
  fireEvent.drop(place, { dataTransfer: { files: [new File(['sheet'], name)] } })
}

test('[VER-3] a sheet is read, configured, checked and loaded; dimensions without a column offer only what the user may use', async () => {
  signedInAs(session({ role: 'user', roleLevel: 3 }))
  const bodies: unknown[] = []
  let isLoaded = false
  fakeServer({
    ...everywhere,
    'POST /loads': ({ body }) => {
      bodies.push(body)
      return load()
    },
    'POST /loads/:loadId/commit': ({ body }) => {
      bodies.push(body)
      isLoaded = true
      return loaded
    },
    'GET /loads/:loadId': () => (isLoaded ? loaded : load()),
  })
  const { address } = renderApp('/excel/loads')
  expect((await screen.findByRole('link', { name: 'Load' })).getAttribute('aria-current')).toBe('page')
  expect(await screen.findByText('Nothing has been loaded yet.')).toBeDefined()
  await drop()
  await userEvent.selectOptions(await screen.findByLabelText('Sheet'), 'Plan')
  expect(screen.getByText('Sheet Plan is hidden in the workbook.')).toBeDefined()
  expect(screen.getByRole('columnheader', { name: 'Amount number' })).toBeDefined()
  const choice = screen.getByLabelText<HTMLSelectElement>('Table')
  const actuals = within(choice).getByRole<HTMLOptionElement>('option', {
    name: 'Actuals – it is locked, or all its milestones are',
  })
  expect(actuals.disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(screen.getByText('required')).toBeDefined()
  await userEvent.selectOptions(choice, 'Budget 2026')
  expect(screen.getByText('UploadB2SBudget2026')).toBeDefined()
  expect(screen.queryByLabelText('Area')).toBeNull()
  const milestone = screen.getByLabelText('Milestone')
  expect(
    within(milestone)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Choose', 'Draft'])
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(screen.getAllByText('required')).toHaveLength(2)
  expect(bodies).toEqual([])
  await userEvent.selectOptions(screen.getByLabelText('Entity'), 'Harbour Ltd')
  await userEvent.selectOptions(milestone, 'Draft')
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  await waitFor(() => expect(address()).toBe(`/excel/loads/${loadId}`))
  expect(await screen.findByText('They replace 5 rows, and that can be undone.')).toBeDefined()
  expect(screen.getByText(/5 rows, loaded by Jonas Weber, 19 Nov 2026/u)).toBeDefined()
  expect(screen.getByText('−3.7')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Load 2 rows' }))
  expect(await screen.findByRole('region', { name: 'Receipt for Budget 2026' })).toBeDefined()
  const begun = {
    versionId: id(10),
    entity: 'Harbour Ltd',
    milestone: 'Draft',
    fileId: readFile.Id,
    workbook: 'plan.xlsx',
    sheet: 'Plan',
    firstRow: 1,
    firstColumn: 1,
    columns: ['Area', 'Subarea', 'Amount'],
    types: [],
    comOrganisationId: harbour.Id,
    source: 'portal',
  }
  expect(bodies).toEqual([begun, { seen: 'seen-1' }])
})

test('[HELP-2] a helper table requires no entity, area, subarea or milestone', async () => {
  signedInAs()
  const bodies: object[] = []
  fakeServer({
    ...everywhere,
    'POST /loads': ({ body }) => {
      bodies.push(body as object)
      return load({ Kind: 'helperTable' })
    },
  })
  renderApp('/excel/loads')
  await drop()
  await userEvent.selectOptions(await screen.findByLabelText('Table'), 'Colours')
  expect(screen.queryByLabelText('Entity')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies[0]).toMatchObject({ helperTableId: id(15), sheet: 'Plan' })
  expect(bodies[0]).not.toHaveProperty('entity')
})

test('[VER-3] with errors nothing can be loaded: every cell is listed, and going back keeps the options', async () => {
  signedInAs()
  const error = {
    Cell: 'C17',
    Column: 'Milestone',
    Value: 'Final',
    Message: 'The milestone ‘Final’ is locked. Choose another one.',
  }
  const received = fakeServer({
    ...everywhere,
    'POST /loads/:loadId/check': () => ({ ...check, Errors: [error], ErrorCount: 1_200 }),
    'DELETE /loads/:loadId': () => undefined,
  })
  const { address } = renderApp('/excel/loads')
  await drop()
  await userEvent.selectOptions(await screen.findByLabelText('Table'), 'Colours')
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  const cells = await screen.findByRole('table', { name: 'List of cells to fix' })
  expect(
    within(cells).getByRole('row', { name: /C17 The milestone ‘Final’ is locked.* Milestone Final/u }),
  ).toBeDefined()
  expect(screen.getByText('The first 1 of 1,200.')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Load /u })).toBeNull()
  expect(screen.queryByRole('table', { name: 'Totals' }), 'the sums of the right rows alone').toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Back to the choices' }))
  await waitFor(() => expect(address()).toBe('/excel/loads'))
  expect((await screen.findByLabelText<HTMLSelectElement>('Table')).value).toBe(id(15))
  expect(received.filter((name) => name.startsWith('DELETE'))).toEqual(['DELETE /loads/:loadId'])
})

test('a concurrent load is named, and checking again shows what would be replaced now', async () => {
  signedInAs()
  const message =
    'Jonas Weber loaded Quay meanwhile. Nothing of yours was loaded. Check again to see what it would replace now.'
  let checks = 0
  fakeServer({
    ...everywhere,
    'POST /loads/:loadId/check': () => ({ ...check, Rows: ++checks, Seen: `seen-${checks}` }),
    'POST /loads/:loadId/commit': () => fault(409, 'sliceChanged', message),
  })
  renderApp(`/excel/loads/${loadId}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Load 1 row' }))
  const banner = await screen.findByRole('alert')
  expect(banner.textContent).toContain(message)
  await userEvent.click(within(banner).getByRole('button', { name: 'Check again' }))
  expect(await screen.findByRole('button', { name: 'Load 2 rows' })).toBeDefined()
  expect(screen.queryByText(message)).toBeNull()
})

test('an unfinished load is restored from its URL, and can be cancelled there', async () => {
  signedInAs()
  let isGone = false
  fakeServer({
    ...everywhere,
    'DELETE /loads/:loadId': () => {
      isGone = true
    },
  })
  const { address } = renderApp(`/excel/loads/${loadId}`)
  expect(await screen.findByRole('button', { name: 'Load 2 rows' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Back to the choices' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(address()).toBe('/excel/loads'))
  expect(isGone).toBe(true)
  expect(await screen.findByRole('region', { name: 'File' })).toBeDefined()
})

test('a file that cannot be read shows the server’s message; an unsupported one is not sent', async () => {
  signedInAs()
  const message = 'plan.xlsx is encrypted. Save it without a password, and choose it again.'
  const received = fakeServer({ ...everywhere, 'POST /loads/files': () => fault(422, 'fileUnreadable', message) })
  renderApp('/excel/loads')
  await drop('plan.pdf')
  expect((await screen.findByRole('alert')).textContent).toContain('plan.pdf is neither .xlsx nor .csv.')
  expect(received).not.toContain('POST /loads/files')
  await drop()
  expect(await screen.findByText(message)).toBeDefined()
})

test('reading a file can be cancelled', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'POST /loads/files': () => new Promise(() => {}) })
  renderApp('/excel/loads')
  await drop()
  expect(await screen.findByText('Reading plan.xlsx…')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeDefined()
})

test('a subarea of the previously chosen area is not loaded into another one', async () => {
  signedInAs()
  const bodies: unknown[] = []
  const noPlanes = {
    ...readFile,
    Sheets: [
      {
        Name: 'Plan',
        Rows: 2,
        Columns: 1,
        FirstRows: [['Amount'], [{ n: '1' }]],
        Notice: null,
        IsHidden: false,
        DateQuestion: null,
      },
    ],
  }
  fakeServer({
    ...everywhere,
    'POST /loads/files': () => noPlanes,
    'POST /loads': ({ body }) => {
      bodies.push(body)
      return load()
    },
  })
  renderApp('/excel/loads')
  await drop()
  await userEvent.selectOptions(await screen.findByLabelText('Table'), 'Budget 2026')
  for (const [label, name] of Object.entries({
    Entity: 'Harbour Ltd',
    Area: 'Quay',
    Subarea: 'Berth 1',
    Milestone: 'Draft',
  }))
    await userEvent.selectOptions(screen.getByLabelText(label), name)
  await userEvent.selectOptions(screen.getByLabelText('Area'), 'Attic')
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(await screen.findByText('required')).toBeDefined()
  expect(bodies).toEqual([])
  await userEvent.selectOptions(screen.getByLabelText('Subarea'), 'Roof')
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  await waitFor(() => expect(bodies).toMatchObject([{ area: 'Attic', subarea: 'Roof' }]))
})

test('a committed load whose response was lost shows its receipt', async () => {
  signedInAs()
  let isIn = false
  fakeServer({
    ...everywhere,
    'POST /loads/:loadId/commit': () => {
      isIn = true
      throw new TypeError('Failed to fetch')
    },
    'GET /loads/:loadId': () => (isIn ? loaded : load()),
  })
  renderApp(`/excel/loads/${loadId}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Load 2 rows' }))
  expect(await screen.findByRole('region', { name: 'Receipt for Budget 2026' })).toBeDefined()
})
