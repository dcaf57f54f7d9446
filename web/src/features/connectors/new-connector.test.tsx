import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorInput } from '@tributary/contract/connectors'
import { afterEach, expect, test } from 'vitest'
import { openManage, press, webShop } from '../../testing/manage-page.ts'
import { leave, session, signedInAs } from '../../testing/render-app.tsx'

afterEach(leave)

const started = { statusCode: 202, message: 'Started', RunId: '00000000-0000-4000-8000-000000000401' }

/** The form of a new connector, filled in; `sent` has what was asked of the server when it was saved. */
async function fillIn() {
  const sent: { created?: ConnectorInput } = {}
  const page = openManage(
    [],
    {
      'POST /tributary/clients/:clientId/connectors': ({ body }) => {
        sent.created = body as ConnectorInput
        return webShop
      },
      'POST /tributary/clients/:clientId/connectors/:connectorId/process': () => started,
    },
    '?new=true',
  )
  const dialog = await screen.findByRole('dialog', { name: 'Add PostgreSQL' })
  await press('Paste a connection string', dialog)
  await userEvent.click(within(dialog).getByRole('textbox', { name: /^Connection string/ }))
  await userEvent.paste('postgres://reader:secret@db/shop')
  return { ...page, dialog, sent }
}

test('[MAN-8] the form of a new connector says in words when it will run by itself, and sends no schedule of an administrator', async () => {
  signedInAs()
  const { dialog, sent } = await fillIn()
  expect(within(dialog).getByText('Every day at 06:00. Ask the provider to change when it runs by itself.')).toBeDefined()
  await press('Save', dialog)
  await waitFor(() => expect(sent.created?.type).toBe('postgres'))
  expect(sent.created).not.toHaveProperty('schedule')
})

test('[MAN-8] a superadmin’s form begins with the default schedule, and sends none chosen as by hand only', async () => {
  signedInAs({ ...session(), role: 'superadmin', roleLevel: 0 })
  const { dialog, sent } = await fillIn()
  const runs = within(dialog).getByLabelText<HTMLSelectElement>('Runs')
  expect(runs.value).toBe('daily')
  await userEvent.selectOptions(runs, 'hand')
  await press('Save', dialog)
  await waitFor(() => expect(sent.created?.schedule).toBeNull())
})
