import type { DatabaseCredentials } from '@tributary/contract/table-sync'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./table-sync-page.tsx'))
afterEach(leave)

const counts = { Areas: 0, Subareas: 0, Links: 0, Milestones: 0, HelperTables: 0, Tables: 0, Groups: 0, Entities: 0 }
const ownWarehouse: DatabaseCredentials = {
  connector: 'mssql',
  host: '',
  database: '',
  schema: '',
  user: '',
  password: '',
  encryption: 'verify',
  savedBy: null,
  savedAtUtc: null,
}
const budget = { Id: '00000000-0000-4000-8000-000000000901', Name: 'Budget 2027' }

test('[UX-EXCEL-10] a version without a table is named where it is created, with how', async () => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /organisations/:clientId/database-credentials': () => ownWarehouse,
    'GET /organisations/:clientId/table-synchronisation': () => null,
    'GET /structure-map': () => ({
      ...counts,
      Versions: 1,
      People: 1,
      Gaps: [{ Kind: 'versionsWithoutTable', Count: 1, Records: [budget] }],
    }),
  })
  renderApp('/excel/table-synchronisation')
  const missing = await screen.findByRole('region', { name: 'What is missing' })
  expect(missing.textContent).toBe('Budget 2027 has no tableChoose ‘Synchronise’ above to create what is missing.')
  expect(within(missing).queryByRole('link')).toBeNull()
})
