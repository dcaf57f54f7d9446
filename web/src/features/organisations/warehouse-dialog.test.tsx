import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Placement } from '@tributary/contract/data-servers'
import { afterEach, expect, test, vi } from 'vitest'
import { everywhere } from '@tributary/testing/web/admin-samples.ts'
import { dataServer, defaultServer, placement, warehouseMove } from '@tributary/testing/web/data-server-samples.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

const drained = dataServer({ Id: '00000000-0000-4000-8000-000000000603', Name: 'Drained', AcceptsNew: false })

/** Opens the dialog of Harbour Trading. */
async function openWarehouse(current: () => Placement, handlers: PortalHandlers = {}): Promise<HTMLElement> {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  fakeServer({
    ...everywhere,
    'GET /admin/data-servers': () => [defaultServer, dataServer(), drained],
    'GET /tributary/clients/:clientId/data-server': current,
    ...handlers,
  })
  renderApp('/admin/organisations')
  const card = await screen.findByRole('article', { name: 'Harbour Trading' })
  await userEvent.click(within(card).getByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Warehouse' }))
  const dialog = await screen.findByRole('dialog', { name: /^Warehouse/u })
  await within(dialog).findByLabelText(/^Must be in the region/u)
  return dialog
}

test('[SCALE-1] a warehouse is moved to another server, and the dialog shows the progress until the old copy is deleted', async () => {
  let now = placement()
  let sent: unknown
  const calls: string[] = []
  const dialog = await openWarehouse(() => now, {
    'POST /tributary/clients/:clientId/data-server/move': ({ body }) => {
      sent = body
      now = placement({ Move: warehouseMove() })
      return Response.json(now, { status: 202 })
    },
    'POST /tributary/clients/:clientId/data-server/move/drop-old-copy': () => {
      calls.push('drop')
      now = { ...now, Move: warehouseMove({ State: 'DONE', EndedAtUtc: '2026-11-29T08:02:00.000Z' }) }
      return now
    },
  })
  const inside = within(dialog)
  const servers = await inside.findByLabelText('Move to')
  expect(
    within(servers)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a server', 'West, Dublin'])
  await userEvent.click(inside.getByRole('button', { name: 'Move' }))
  expect(sent).toBeUndefined()
  expect(inside.getByText('required')).toBeDefined()
  await userEvent.selectOptions(servers, 'West, Dublin')
  await userEvent.click(inside.getByRole('switch', { name: /^Let reports read the old copy for a day/u }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  await userEvent.click(inside.getByRole('button', { name: 'Move' }))
  expect(await inside.findByText('3 of 12 tables, 41,000 rows copied')).toBeDefined()
  expect(sent).toEqual({ serverId: dataServer().Id, keepsReadable: true })
  expect(inside.getByRole('progressbar', { name: 'Tables copied' }).getAttribute('aria-valuenow')).toBe('25')
  expect(inside.queryByLabelText('Move to')).toBeNull()
  const next = async (move: Parameters<typeof warehouseMove>[0], changes: Partial<Placement> = {}) => {
    now = placement({ ...changes, Move: warehouseMove(move) })
    await act(() => vi.advanceTimersByTimeAsync(2_000))
  }
  await next({ State: 'HOLDING' })
  expect(inside.getByText(/Runs wait while the last changes are copied/u)).toBeDefined()
  await next({ State: 'VERIFYING' })
  expect(inside.getByText(/Both copies are compared/u)).toBeDefined()
  const west = { Server: { Id: dataServer().Id, Name: 'West', Region: 'Dublin' }, Host: 'west.example' }
  await next({ State: 'KEPT', DropAtUtc: '2026-11-30T08:00:00.000Z' }, west)
  expect(inside.getByText('West, Dublin')).toBeDefined()
  expect(inside.getByText('west.example:5432')).toBeDefined()
  await userEvent.click(inside.getByRole('button', { name: 'Delete the old copy' }))
  expect(await inside.findByText(/the old copy is deleted/u)).toBeDefined()
  expect(calls).toEqual(['drop'])
})

test('[SCALE-1] what a move would lose is named in the dialog, and the move does not begin', async () => {
  const refusal = 'The warehouse has what Tributary has not created and cannot move: the trigger t of shop.item.'
  const dialog = await openWarehouse(() => placement(), {
    'POST /tributary/clients/:clientId/data-server/move': () => fault(422, 'settingsWrong', refusal),
  })
  await userEvent.selectOptions(await within(dialog).findByLabelText('Move to'), 'West, Dublin')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Move' }))
  expect(await within(dialog).findByText(refusal)).toBeDefined()
  expect(within(dialog).queryByRole('progressbar')).toBeNull()
})

test('[SCALE-1] a move is cancelled before the switch, and not after it', async () => {
  let now = placement({ Move: warehouseMove() })
  const dialog = await openWarehouse(() => now, {
    'POST /tributary/clients/:clientId/data-server/move/cancel': () => {
      now = placement({ Move: warehouseMove({ IsCancelling: true }) })
      return now
    },
  })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel the move' }))
  expect(await within(dialog).findByText('The move is being cancelled.')).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: 'Cancel the move' })).toBeNull()
})

test('[SCALE-1] after the switch nothing cancels the move, and with a stable name no copy stays readable', async () => {
  const dialog = await openWarehouse(() =>
    placement({ HasStableHost: true, Move: warehouseMove({ State: 'SWITCHED', TablesDone: 12 }) }),
  )
  expect(within(dialog).getByText(/The organisation is on the new server/u)).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: 'Cancel the move' })).toBeNull()
  expect(within(dialog).queryByRole('switch')).toBeNull()
})

test('[SCALE-1] a failed move says why; the region that a warehouse must be in is saved, and cleared', async () => {
  const sent: unknown[] = []
  const notice = 'The copy differs from the warehouse in shop.item, so the warehouse stays where it is.'
  const dialog = await openWarehouse(
    () =>
      placement({ RegionWish: 'Oslo', HasStableHost: true, Move: warehouseMove({ State: 'FAILED', Notice: notice }) }),
    {
      'PUT /tributary/clients/:clientId/data-server': ({ body }) => {
        sent.push(body)
        return placement()
      },
    },
  )
  expect(within(dialog).getByText(notice)).toBeDefined()
  expect(await within(dialog).findByLabelText('Move to')).toBeDefined()
  expect(within(dialog).queryByRole('switch')).toBeNull()
  const region = within(dialog).getByLabelText(/^Must be in the region/u)
  for (const text of ['Dublin', '']) {
    await userEvent.clear(region)
    if (text !== '') await userEvent.type(region, text)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save region' }))
    await waitFor(() => expect(sent.at(-1)).toEqual({ regionWish: text === '' ? null : text }))
  }
})

test('[SCALE-1] an organisation without a warehouse has none to move', async () => {
  const dialog = await openWarehouse(() => placement({ Server: null, Database: null, Host: null, Port: null }))
  expect(within(dialog).getByText('None yet: the first run creates the warehouse.')).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: 'Move' })).toBeNull()
})
