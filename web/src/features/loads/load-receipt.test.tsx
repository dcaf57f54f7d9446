import type { LoadChange } from '@tributary/contract/loads'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { everywhere, id, load, loaded, loadId, paged, slice } from '@tributary/testing/web/load-samples.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./loads-page.tsx'))
afterEach(leave)

test('of a long change log only the visible range is fetched and rendered', async () => {
  signedInAs()
  const pages: (string | null)[] = []
  const change = (n: number): LoadChange => ({
    AtUtc: '2026-11-20T10:05:00Z',
    By: 'Amara Okafor',
    Workbook: 'plan.xlsx',
    Sheet: 'Plan',
    Cell: `C${n}`,
    Kind: 'changed',
    Slice: slice,
    Column: 'Amount',
    Old: '1',
    New: String(n),
  })
  fakeServer({
    ...everywhere,
    'GET /loads/:loadId': () => loaded,
    'GET /loads/:loadId/changes': ({ url }) => {
      const page = url.searchParams.get('page')
      pages.push(page)
      return Array.from({ length: 200 }, (_, at) => change((Number(page) - 1) * 200 + at + 1))
    },
  })
  renderApp(`/excel/loads/${loadId}`)
  const log = await screen.findByRole('table', { name: 'List of changes' })
  expect(await within(log).findByRole('row', { name: /^C1 changed Amount 1 1 Harbour Ltd \/ Quay/u })).toBeDefined()
  expect(log.getAttribute('aria-rowcount')).toBe('451')
  expect(within(log).getAllByRole('row').length).toBeLessThan(40)
  const frame = screen.getByRole('region', { name: 'List of changes' })
  Object.defineProperty(frame, 'scrollTop', { value: 405 * 44 })
  fireEvent.scroll(frame)
  expect(await within(log).findByRole('row', { name: /^C411 /u })).toBeDefined()
  await waitFor(() => expect(pages).toEqual(['1', '2', '3']))
})

test('undoing asks for confirmation and names a later load; the restored rows have their own receipt', async () => {
  signedInAs()
  const conflict = 'Jonas Weber has loaded Quay since. Undo that load first, or load the rows you want.'
  const undoing = load({ Id: id(2), Status: 'LOADED', Undoes: loadId, CommittedAtUtc: '2026-11-20T10:06:00Z' })
  let isInTheWay = true
  fakeServer({
    ...everywhere,
    'GET /loads/:loadId': ({ url }) => (url.pathname.endsWith(loadId) ? loaded : undoing),
    'POST /loads/:loadId/undo': () => (isInTheWay ? fault(409, 'undoConflict', conflict) : undoing),
  })
  const { address } = renderApp(`/excel/loads/${loadId}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  const dialog = await screen.findByRole('dialog', { name: 'Undo this load?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo the load' }))
  expect(await within(dialog).findByText(conflict)).toBeDefined()
  isInTheWay = false
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo the load' }))
  await waitFor(() => expect(address()).toBe(`/excel/loads/${id(2)}`))
  expect(await screen.findByText('This load restored the rows that another load had replaced.')).toBeDefined()
})

test('the history is filtered by table, page by page', async () => {
  signedInAs()
  const asked: string[] = []
  fakeServer({
    ...everywhere,
    'GET /loads': ({ url }) => {
      asked.push(`${url.searchParams.get('helperTableId')} ${url.searchParams.get('page')}`)
      return paged([loaded], 60)
    },
  })
  const { address } = renderApp('/excel/loads')
  expect((await screen.findByRole('link', { name: 'Budget 2026' })).getAttribute('href')).toBe(`/excel/loads/${loadId}`)
  await userEvent.click(screen.getByRole('button', { name: 'Older' }))
  await userEvent.selectOptions(screen.getByLabelText('Loads into'), 'Colours')
  await waitFor(() => expect(asked).toEqual(['null 1', 'null 2', `${id(15)} 1`]))
  expect(address()).toBe(`/excel/loads?table=${id(15)}`)
})

test('the history is searched, and an unfinished load can be discarded from the list', async () => {
  signedInAs()
  const asked: (string | null)[] = []
  const discarded: string[] = []
  fakeServer({
    ...everywhere,
    'GET /loads': ({ url }) => {
      asked.push(url.searchParams.get('search'))
      return paged([load({ Status: discarded.length === 0 ? 'RECEIVING' : 'CANCELLED' }), { ...loaded, Id: id(2) }])
    },
    'DELETE /loads/:loadId': ({ url }) => {
      discarded.push(url.pathname)
      return new Response(null, { status: 204 })
    },
  })
  renderApp('/excel/loads')
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search loads' }), 'Ulla')
  await waitFor(() => expect(asked.at(-1)).toBe('ulla'))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard Plan of plan.xlsx' }))
  expect(await screen.findByText('CANCELLED')).toBeDefined()
  expect(discarded).toEqual([`/api/loads/${loadId}`])
  expect(screen.queryByRole('button', { name: /^Discard/u })).toBeNull()
})
