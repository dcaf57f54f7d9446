import type { ListedUser } from '@tributary/contract/organisations'
import { screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, session, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { everywhere, id, tables } from '@tributary/testing/web/load-samples.ts'

// The chunks of the pages are loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./loads-page.tsx'))
afterEach(leave)

const member = (n: number, role: string, status = 'active'): ListedUser => ({
  Id: id(n),
  FirstName: 'Ana',
  LastName: `Number ${n}`,
  EmailAddress: `ana${n}@harbour.example`,
  Role: { Id: id(90), Name: role },
  Status: { Name: status },
  StatusId: id(91),
  RequireMultiFactorAuthentication: false,
  LastSignInAtUtc: null,
  MS_Oid: null,
  Groups: [],
  HelperTables: [],
  B2SEntities: [],
  Xero2SqlProducts: [],
  SecondFactor: false,
})

test('a user who may write to no table sees that, and whom to ask, before choosing a file; a guest sees no Excel pages', async () => {
  signedInAs(session({ role: 'user', roleLevel: 3 }))
  const people = [member(50, 'admin'), member(51, 'user'), member(52, 'admin', 'archived'), member(53, 'admin')]
  fakeServer({ ...everywhere, 'GET /loads/tables': () => tables.slice(1, 2), 'GET /users': () => people })
  renderApp('/excel/loads')
  expect(await screen.findByText('There is no table that you may load into.')).toBeDefined()
  expect(screen.getByText('Actuals: it is locked, or all its milestones are.')).toBeDefined()
  expect(
    await screen.findByText(
      /^Ask Ana Number 50 \(ana50@harbour\.example\) or Ana Number 53 \(ana53@harbour\.example\) for/u,
    ),
  ).toBeDefined()
  expect(screen.queryByRole('region', { name: 'File' })).toBeNull()
  leave()
  signedInAs(session({ role: 'guest', roleLevel: 4 }))
  renderApp('/excel/loads')
  expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
})

test('an administrator who may write to no table is sent to where access is granted', async () => {
  signedInAs(session({ role: 'admin', roleLevel: 2 }))
  fakeServer({ ...everywhere, 'GET /loads/tables': () => [] })
  renderApp('/excel/loads')
  expect((await screen.findByRole('link', { name: 'security group' })).getAttribute('href')).toBe(
    '/excel/security/user-security-groups',
  )
  expect(screen.queryByText(/Ask/u)).toBeNull()
  expect(screen.queryByRole('region', { name: 'File' })).toBeNull()
})
