import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { everywhere } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const share = { RunsMax: 2, Weight: 1, Running: 2, Waiting: 3 }
const name = 'Share of runs of Harbour Trading'

/** Opens the dialog, from a menu if the card has one, and returns it once it shows this text. */
async function openShare(text: string, isInMenu: boolean): Promise<HTMLElement> {
  renderApp('/admin/organisations')
  const card = await screen.findByRole('article', { name: 'Harbour Trading' })
  if (isInMenu) {
    await userEvent.click(within(card).getByRole('button', { name: 'More actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Share of runs' }))
  } else await userEvent.click(within(card).getByRole('button', { name: 'Share of runs' }))
  await screen.findByText(text)
  return screen.getByRole('dialog', { name })
}

test('[SCALE-2] a superadmin sees how much of the share is in use, and changes it', async () => {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  let sent: unknown
  fakeServer({
    ...everywhere,
    'GET /organisations/:clientId/run-share': () => share,
    'PUT /organisations/:clientId/run-share': ({ body }) => {
      sent = body
      return { ...share, RunsMax: 5, Waiting: 0 }
    },
  })
  const dialog = await openShare('2 runs are running; 3 wait for the share.', true)
  const runs = await within(dialog).findByLabelText(/Runs at once/)
  await userEvent.clear(runs)
  await userEvent.type(runs, '500')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByText('must be a whole number from 1 to 100')).toBeDefined()
  await userEvent.clear(runs)
  await userEvent.type(runs, '5')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual({ runsMax: 5, weight: 1 }))
})

test('[SCALE-2] an administrator of the organisation sees the share, and cannot change it', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'GET /organisations/:clientId/run-share': () => ({ ...share, Waiting: 0 }) })
  const dialog = await openShare('2 runs are running; none waits for the share.', false)
  expect(within(dialog).getByText('2 runs at once, weight 1.')).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: 'Save' })).toBeNull()
})
