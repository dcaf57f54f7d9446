import type { StructureMap } from '@tributary/contract/structure-map'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, session, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { findNextGap, listSteps } from './structure-steps.ts'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./structure-map-page.tsx'))
afterEach(leave)

const id = (n: number) => `00000000-0000-4000-8000-0000000009${String(n).padStart(2, '0')}`
const empty: StructureMap = {
  Areas: 0,
  Subareas: 0,
  Links: 0,
  Versions: 0,
  Milestones: 0,
  HelperTables: 0,
  Tables: 0,
  Groups: 0,
  Entities: 0,
  People: 1,
  Gaps: [
    { Kind: 'peopleWithoutGroup', Count: 1, Records: [{ Id: id(1), Name: 'Amara Okafor' }] },
    { Kind: 'peopleWithoutEntity', Count: 1, Records: [{ Id: id(1), Name: 'Amara Okafor' }] },
  ],
}
const grown: StructureMap = {
  Areas: 12,
  Subareas: 9,
  Links: 1_240,
  Versions: 2,
  Milestones: 1,
  HelperTables: 1,
  Tables: 2,
  Groups: 1,
  Entities: 2,
  People: 9,
  Gaps: [
    {
      Kind: 'subareasWithoutAreas',
      Count: 2,
      Records: [
        { Id: id(2), Name: 'Attic' },
        { Id: id(3), Name: 'Bar' },
      ],
    },
    { Kind: 'versionsWithoutTable', Count: 1, Records: [{ Id: id(4), Name: 'Budget 2027' }] },
    {
      Kind: 'peopleWithoutGroup',
      Count: 5,
      Records: [5, 6, 7].map((n) => ({ Id: id(n), Name: `Ana ${n}` })),
    },
  ],
}

function serve(map: StructureMap): string[] {
  return fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /structure-map': () => map,
  })
}
const step = (name: string) => within(screen.getByRole('region', { name }))
const targetOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('[UX-EXCEL-8] the map lists the seven steps in order, each with figures that link to their page', async () => {
  signedInAs()
  serve(grown)
  renderApp('/excel/map')
  const list = await screen.findByRole('list', { name: 'Steps from areas to people' })
  expect(
    within(list)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Areas', 'Subareas', 'Links', 'Versions', 'Tables', 'Groups', 'People'])
  const figures = {
    '12 areas': '/excel/areas',
    '9 subareas': '/excel/subareas',
    '1,240 links': '/excel/subareas/link',
    '2 versions': '/excel/versions',
    '1 milestone': '/excel/versions',
    '1 helper table': '/excel/helper-tables',
    '2 of 3 tables': '/excel/table-synchronisation',
    '1 security group': '/excel/security/security-groups',
    '9 people': '/excel/security/user-security-groups',
    '2 entities': '/excel/security/entities',
  }
  for (const [name, path] of Object.entries(figures)) expect([name, targetOf(name)]).toEqual([name, path])
})

test('[UX-EXCEL-8] what is missing is named where it belongs, and links to where it is fixed', async () => {
  signedInAs()
  serve(grown)
  renderApp('/excel/map')
  await screen.findByRole('list', { name: 'Steps from areas to people' })
  expect(targetOf('2 subareas in no area')).toBe('/excel/subarea-areas?edit=new&unlinked=true')
  expect(step('Links').getByText('Attic and Bar')).toBeDefined()
  expect(targetOf('Budget 2027 has no table')).toBe('/excel/table-synchronisation')
  expect(targetOf('5 people in no group')).toBe('/excel/security/user-security-groups?edit=new&unlinked=true')
  expect(step('People').getByText('Ana 5, Ana 6, Ana 7 and 2 more')).toBeDefined()
  expect(step('Areas').getByText('Nothing is missing.')).toBeDefined()
  expect(screen.getByText('Next: 2 subareas in no area.')).toBeDefined()
  expect(targetOf('Go to the next step')).toBe('/excel/subarea-areas?edit=new&unlinked=true')
})

test('[UX-EXCEL-8] in a new organisation each step says what it needs, and the first one is next', () => {
  const steps = listSteps(empty)
  expect(steps.map(({ key, needs, gaps }) => [key, needs ?? gaps.map(({ text }) => text)])).toEqual([
    ['areas', ['Add areas']],
    ['subareas', ['Add subareas']],
    ['links', 'Needs areas and subareas first.'],
    ['versions', ['Add versions']],
    ['tables', 'Needs versions or helper tables first.'],
    ['groups', 'Needs links or versions first.'],
    ['people', 'Needs a security group first.'],
  ])
  expect(findNextGap(steps)?.to).toBe('/excel/areas')
})

test('[UX-EXCEL-8] if nothing is missing, the next step is to load a sheet', async () => {
  signedInAs()
  serve({ ...grown, Gaps: [] })
  renderApp('/excel/map')
  expect(await screen.findByText('Nothing is missing. Everyone in a group can load their sheets.')).toBeDefined()
  expect(targetOf('Load a sheet')).toBe('/excel/loads')
})

test('[UX-EXCEL-6] a user without the right to edit has no map, and the portal does not request it', async () => {
  signedInAs(session({ role: 'user', roleLevel: 3 }))
  const received = serve(grown)
  renderApp('/excel/map')
  expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Map' })).toBeNull()
  expect(received).not.toContain('GET /structure-map')
})

test('[UX-HOME-23] a map that is fetched again offers no next step before the reply is there', async () => {
  signedInAs()
  const later = Promise.withResolvers<StructureMap>()
  const replies = [empty, later.promise]
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /structure-map': () => replies.shift() ?? grown,
    'GET /areas': () => [],
  })
  renderApp('/excel/map')
  expect(await screen.findByRole('link', { name: 'Go to the next step' })).toHaveProperty('isConnected', true)
  await userEvent.click(screen.getByRole('link', { name: 'Areas' }))
  await screen.findByRole('searchbox', { name: 'Search areas' })
  // Later than a reply counts as current.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  await userEvent.click(await screen.findByRole('link', { name: 'Map' }))
  await screen.findByRole('list', { name: 'Steps from areas to people' })
  expect(screen.queryByRole('link', { name: 'Go to the next step' })).toBeNull()
  later.resolve(grown)
  expect(await screen.findByText(/^Next: /u)).toHaveProperty('isConnected', true)
  vi.useRealTimers()
})
