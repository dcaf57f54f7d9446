/**
 * Opens the pane next to a sheet with a signed-in user. The fake server accepts every request that a test does not
 * override.
 */
import { screen } from '@testing-library/react'
import { storeSession } from '../../addin/src/api/session.ts'
import { Pane } from '../../addin/src/app/pane.tsx'
import { fakeServer, type PaneHandlers, signedOut } from './fake-server.ts'
import { renderPart } from './render.tsx'
import { check, harbour, id, load, loaded, session, tables, use } from './samples.ts'
import { openWorkbook, type SheetInput } from './workbook.ts'

export const plan: SheetInput = {
  rows: [
    ['Budget of the harbour', '', ''],
    ['Area', 'Subarea', 'Amount'],
    ['Quay', 'Berth 1', 0.1 + 0.2],
    ['Quay', 'Berth 2', -4],
  ],
}

export const usual: PaneHandlers = {
  'GET /organisations': () => [harbour],
  'GET /loads/tables': () => tables,
  'GET /me/use': () => use,
  'POST /loads': () => load(),
  'PUT /loads/:loadId/chunks/:number': () => ({ Rows: 2 }),
  'POST /loads/:loadId/check': () => check,
  'POST /loads/:loadId/commit': () => loaded,
  'DELETE /loads/:loadId': () => undefined,
  'POST /auth/refresh': signedOut,
}

export function openPane(handlers: PaneHandlers = {}, sheet: SheetInput = plan) {
  const workbook = openWorkbook(sheet)
  storeSession(session())
  const calls = fakeServer({ ...usual, ...handlers })
  const user = renderPart(<Pane host="excel" />)
  const named = (name: string) => calls.filter((call) => call.name === name)
  return { workbook, calls, named, user }
}

export const press = async ({ user }: { user: ReturnType<typeof renderPart> }, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

export async function chooseTable({ user }: ReturnType<typeof openPane>, table = id(10)) {
  await screen.findByRole('option', { name: 'Budget 2026' })
  await user.selectOptions(screen.getByLabelText('Table'), table)
}

export async function goToCheck(pane: ReturnType<typeof openPane>) {
  await chooseTable(pane)
  await pane.user.selectOptions(await screen.findByLabelText('Milestone'), 'Draft')
  await press(pane, 'Preview')
  await press(pane, 'Check 2 rows')
  await screen.findByRole('heading', { name: 'The check' })
}
