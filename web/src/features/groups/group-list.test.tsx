import type { StructureMap } from '@tributary/contract/structure-map'
import { screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./groups-page.tsx'))
afterEach(leave)

const counts = { Subareas: 0, Links: 0, Milestones: 0, HelperTables: 0, Tables: 0, Groups: 0, Entities: 0, People: 1 }

function openGroups(records: Pick<StructureMap, 'Areas' | 'Versions'>): void {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /permission-groups': () => [],
    'GET /structure-map': () => ({ ...counts, ...records, Gaps: [] }),
  })
  renderApp('/excel/security/security-groups')
}

test('[UX-EXCEL-10] without groups the list says what they are, and how the first one is created', async () => {
  openGroups({ Areas: 1, Versions: 0 })
  expect(await screen.findByText('There are no security groups yet.')).toBeDefined()
  expect(
    screen.getByText(
      "A security group says which areas and versions its people may load. Press 'Create Security Group' to begin.",
    ),
  ).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Open the structure map' })).toBeNull()
})

test('[UX-EXCEL-10] before there is anything to grant, the list of groups leads to the structure map', async () => {
  openGroups({ Areas: 0, Versions: 0 })
  const toMap = await screen.findByRole('link', { name: 'Open the structure map' })
  expect(toMap.getAttribute('href')).toBe('/excel/map')
  expect(screen.getByText(/Areas and versions come first\.$/u)).toBeDefined()
})
