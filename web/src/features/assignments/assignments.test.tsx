import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Assignee } from '@tributary/contract/assignments'
import type { StructureMap } from '@tributary/contract/structure-map'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const assignee = (at: number, FirstName: string, Name: string): Assignee => ({
  Id: `00000000-0000-4000-8000-00000000070${at}`,
  FirstName,
  LastName: 'Kingi',
  EmailAddress: `${FirstName.toLowerCase()}@people.example`,
  Status: { Name },
  Groups: [],
  HelperTables: [],
  AllHelperTables: false,
  Entities: [],
  AllEntities: false,
})

const emptyMap: StructureMap = {
  Areas: 0,
  Subareas: 0,
  Links: 0,
  Versions: 0,
  Milestones: 0,
  HelperTables: 0,
  Tables: 0,
  Groups: 0,
  Entities: 0,
  People: 0,
  Gaps: [],
}
const status = { Id: '00000000-0000-4000-8000-000000000020', Name: 'active' }
const rates = { Id: '00000000-0000-4000-8000-000000000711', Name: 'Rates', Status: status, AllUsers: false }
const planners = {
  ...rates,
  Name: 'Planners',
  GroupCount: 0,
  PermissionGroupAreasSubAreas: [],
  B2SGroupVersionMilestones: [],
  Members: 0,
  Revision: 1,
}
const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /assignments': () => [
    assignee(1, 'Mere', 'active'),
    assignee(2, 'Tane', 'archived'),
    assignee(3, 'Aroha', 'locked'),
  ],
  'GET /permission-groups': () => [planners],
  'GET /helperTables': () => [{ ...rates, InputTableName: 'Rates' }],
  'GET /entities': () => [rates],
}

test.each([
  ['/excel/security/user-security-groups', 'Create new assignment', 'radio'],
  ['/excel/security/user-helper-tables', 'Create new link', 'radio'],
  ['/excel/helper-table-users', 'Create new link', 'checkbox'],
  ['/excel/user-entities', 'Create new link', 'radio'],
  ['/excel/entity-users', 'Create new link', 'checkbox'],
] as const)('archived and locked users are labelled at %s', async (path, create, role) => {
  signedInAs()
  fakeServer(everywhere)
  renderApp(path)
  await userEvent.click(await screen.findByRole('button', { name: create }))
  if (role === 'checkbox') await userEvent.click(await screen.findByRole('radio', { name: 'Rates' }))
  await screen.findByRole(role, { name: 'Tane Kingi Archived · tane@people.example' })
  expect(screen.getByRole(role, { name: 'Aroha Kingi Locked · aroha@people.example' })).toBeDefined()
  expect(screen.getByRole(role, { name: 'Mere Kingi mere@people.example' })).toBeDefined()
})

const mapWithGaps: StructureMap = {
  ...emptyMap,
  Gaps: [
    { Kind: 'groupsWithoutGrants', Count: 1, Records: [{ Id: rates.Id, Name: 'Idle' }] },
    { Kind: 'peopleWithoutGroup', Count: 1, Records: [{ Id: rates.Id, Name: 'Mere Kingi' }] },
  ],
}

test('[UX-EXCEL-10] a page of links without records to link leads to where they are added, and offers nothing else', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'GET /permission-groups': () => [], 'GET /structure-map': () => mapWithGaps })
  renderApp('/excel/security/user-security-groups?edit=new')
  expect(await screen.findByText('There are no security groups yet.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Add security groups' }).getAttribute('href')).toBe(
    '/excel/security/security-groups',
  )
  expect(screen.queryByRole('button', { name: /assign/iu })).toBeNull()
  expect(screen.queryByRole('region', { name: 'What is missing' })).toBeNull()
})

test('[UX-EXCEL-10] a page of links names what is missing in them', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'GET /structure-map': () => ({ ...mapWithGaps, Groups: 1 }) })
  renderApp('/excel/security/user-security-groups')
  const missing = await screen.findByRole('region', { name: 'What is missing' })
  expect(
    within(missing)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Mere Kingi is in no group'])
})

test('[UX-EXCEL-9] with only users without a group, saving one proceeds to the next, and the last one to the list', async () => {
  signedInAs()
  const assigned = new Set<string>()
  fakeServer({
    ...everywhere,
    'GET /assignments': () =>
      ['Mere', 'Tane'].map((name, at) => ({
        ...assignee(at, name, 'active'),
        Groups: assigned.has(assignee(at, name, 'active').Id) ? [planners] : [],
      })),
    'PUT /users/:userId/groups': ({ url }) => {
      assigned.add(url.pathname.split('/')[3] ?? '')
      return { Ids: [planners.Id], AllCurrentAndFuture: false }
    },
  })
  const { address } = renderApp('/excel/security/user-security-groups?edit=new&unlinked=true')
  const users = () => within(screen.getByRole('group', { name: /^Users/ })).getAllByRole('radio')
  const assign = async (name: RegExp) => {
    await userEvent.click(await screen.findByRole('radio', { name }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Planners' }))
    await userEvent.click(screen.getByRole('button', { name: 'Assign' }))
  }
  await assign(/^Mere/)
  await waitFor(() => expect(users()).toHaveLength(1))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search users' })))
  await assign(/^Tane/)
  await waitFor(() => expect(address()).toBe('/excel/security/user-security-groups'))
})
