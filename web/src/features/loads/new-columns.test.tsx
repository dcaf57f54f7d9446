import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { everywhere, fileColumns, id, load, tables } from '@tributary/testing/web/load-samples.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./loads-page.tsx'))
afterEach(leave)

const amount = {
  Type: 'number' as const,
  Kinds: [
    { Kind: 'text' as const, Cells: 1, FirstCell: 'C17', FirstValue: 'n/a' },
    { Kind: 'number' as const, Cells: 1_999, FirstCell: 'C2', FirstValue: '0.30' },
  ],
}

async function chooseTable(name: string): Promise<void> {
  const place = await screen.findByRole('region', { name: 'File' })
  fireEvent.drop(place, { dataTransfer: { files: [new File(['sheet'], 'plan.xlsx')] } })
  await userEvent.selectOptions(await screen.findByLabelText('Table'), name)
}

test('[ENG-5] [ISSUE 20 C14] the types of new columns are shown before the check with the cells that do not fit, and the chosen type is sent', async () => {
  signedInAs()
  const bodies: unknown[] = []
  const asked: string[] = []
  fakeServer({
    ...everywhere,
    'GET /loads/files/:fileId/columns': ({ url }) => {
      asked.push(url.search)
      return [...fileColumns.slice(0, 2), amount]
    },
    'POST /loads': ({ body }) => {
      bodies.push(body)
      return load()
    },
  })
  renderApp('/excel/loads')
  await chooseTable('Colours')
  const panel = await screen.findByRole('region', { name: 'New columns' })
  const type = await within(panel).findByLabelText<HTMLSelectElement>('Type of Amount')
  expect([type.value, within(panel).getByLabelText<HTMLSelectElement>('Type of Area').value]).toEqual([
    'number',
    'text',
  ])
  expect(within(panel).getByText('1,999 numbers, 1 text')).toBeDefined()
  expect(within(panel).getByText('C17 does not fit: n/a. Correct it, or choose another type.')).toBeDefined()
  await userEvent.selectOptions(type, 'Text')
  expect(within(panel).queryByText(/does not fit/u)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies[0]).toMatchObject({ types: [{ column: 'Amount', type: 'text' }] })
  expect(asked.map((search) => new URLSearchParams(search).get('sheet'))).toEqual(['Plan'])
})

test('[ENG-5] [ISSUE 20 C14] columns that the table already has, and the dimensions of a row, are not offered as new', async () => {
  signedInAs()
  const known = tables.map((table) => ({ ...table, Columns: [{ Name: 'amount', Type: 'number' as const }] }))
  fakeServer({ ...everywhere, 'GET /loads/tables': () => known })
  renderApp('/excel/loads')
  await chooseTable('Budget 2026')
  expect(await screen.findByText('UploadB2SBudget2026')).toBeDefined()
  expect(screen.queryByRole('region', { name: 'New columns' })).toBeNull()
})

test('[ENG-5] [ISSUE 20 C16] the template of the chosen table is downloaded under its name; a refusal is shown', async () => {
  signedInAs()
  const asked: string[] = []
  let isRefused = false
  fakeServer({
    'GET /loads/template.xlsx': ({ url }) => {
      asked.push(url.searchParams.get('versionId') ?? '')
      if (isRefused) return fault(422, 'loadRefused', 'Everything in ‘Budget 2026’ that you may use is locked.')
      const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      return new Response('PK', { headers: { 'content-type': type } })
    },
    ...everywhere,
  })
  const saved: string[] = []
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function save(this: HTMLAnchorElement) {
    saved.push(this.download)
  }
  renderApp('/excel/loads')
  await chooseTable('Budget 2026')
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Download template' })
  await userEvent.click(button)
  await waitFor(() => expect(saved).toEqual(['Budget 2026 template.xlsx']))
  HTMLAnchorElement.prototype.click = click
  isRefused = true
  await waitFor(() => expect(button.disabled).toBe(false))
  await userEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Everything in ‘Budget 2026’ that you may use is locked.',
  )
  expect(asked).toEqual([id(10), id(10)])
})
