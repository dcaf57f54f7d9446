import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Assignee } from '@tributary/contract/assignments'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
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

test.each([
  ['/excel/security/user-security-groups', 'Create new assignment', 'radio'],
  ['/excel/security/user-helper-tables', 'Create new link', 'radio'],
  ['/excel/helper-table-users', 'Create new link', 'checkbox'],
  ['/excel/user-entities', 'Create new link', 'radio'],
  ['/excel/entity-users', 'Create new link', 'checkbox'],
] as const)('archived and locked users are labelled at %s', async (path, create, role) => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /assignments': () => [
      assignee(1, 'Mere', 'active'),
      assignee(2, 'Tane', 'archived'),
      assignee(3, 'Aroha', 'locked'),
    ],
    'GET /permission-groups': () => [],
    'GET /helperTables': () => [],
    'GET /entities': () => [],
  })
  renderApp(path)
  await userEvent.click(await screen.findByRole('button', { name: create }))
  await screen.findByRole(role, { name: 'Tane Kingi Archived · tane@people.example' })
  expect(screen.getByRole(role, { name: 'Aroha Kingi Locked · aroha@people.example' })).toBeDefined()
  expect(screen.getByRole(role, { name: 'Mere Kingi mere@people.example' })).toBeDefined()
})
