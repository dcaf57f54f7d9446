import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'

afterEach(leave)

function open(view: string, sharedBy: string | null = null) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [{ ...books, StoresTablesOnly: true, SharedBy: sharedBy }],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs': () => [],
  })
  signedInAs()
  renderApp(`/connectors/xero/refresh?connector=${books.Id}&view=${view}`)
}

test('[LAKE-1] the drawer of a connector with Iceberg tables leaves out the views that need SQL in its target', async () => {
  open('runs')
  const views = within(await screen.findByRole('navigation', { name: 'Views of the connector' }))
  expect(views.getByRole('link', { name: 'Tables' })).toBeTruthy()
  // Until the connector has loaded, it is not known what its target stores.
  await waitFor(() => {
    for (const name of ['History', 'Verification', 'Tie-out', 'Closed periods'])
      expect(views.queryByRole('link', { name })).toBeNull()
  })
})

test.each([
  ['verification', null],
  ['closedPeriods', null],
  ['history', null],
  ['verification', 'Summit Trading'],
])('[LAKE-1] the address of the view %s says why it is missing, shared by %s', async (view, sharedBy) => {
  open(view, sharedBy)
  expect(await screen.findByText('The target of this connector stores tables only.')).toBeTruthy()
})
