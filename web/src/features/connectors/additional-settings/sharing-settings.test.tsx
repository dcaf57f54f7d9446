import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { openManage, webShop } from '@tributary/testing/web/manage-page.ts'
import { leave, manyOrganisations, signedInAs, summit } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

test('[SCALE-4] of more organisations than are loaded, the server finds the one to share with, and those that see the connector stay listed', async () => {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  const far = { ...summit, Id: '00000000-0000-4000-8000-000000009001', CompanyName: 'Quay far behind' }
  const searches: (string | null)[] = []
  let sent: unknown
  openManage([webShop], {
    'GET /organisations': ({ url: { searchParams } }) => {
      if (!searchParams.has('search')) return manyOrganisations
      searches.push(searchParams.get('search'))
      return [far]
    },
    'GET /tributary/clients/connectors/:connectorId/organisations': () => [summit],
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': () => webShop,
    'POST /tributary/clients/connectors/:connectorId/assign-organisations': ({ body }) => {
      sent = body
      return []
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  // The first time, the chunks are compiled.
  const dialog = await screen.findByRole('dialog', {}, { timeout: 15_000 })
  expect(await within(dialog).findByLabelText(summit.CompanyName)).toHaveProperty('checked', true)
  expect(within(dialog).queryByLabelText(far.CompanyName)).toBeNull()
  await userEvent.click(within(dialog).getByRole('searchbox', { name: 'Search organisations' }))
  await userEvent.paste('far behind')
  await userEvent.click(await within(dialog).findByLabelText(far.CompanyName))
  expect(searches.at(-1)).toBe('far behind')
  await userEvent.clear(within(dialog).getByRole('searchbox', { name: 'Search organisations' }))
  expect(await within(dialog).findByLabelText(summit.CompanyName)).toHaveProperty('checked', true)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual({ organisations: [summit.Id, far.Id] }))
})
