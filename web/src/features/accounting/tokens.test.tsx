import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AccountingProduct, AccountingToken, TokenTenant } from '@tributary/contract/accounting'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { postgres } from '@tributary/testing/web/manage-page.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./tokens-page.tsx'))
afterEach(leave)

const superadmin = { role: 'superadmin', roleLevel: 0 }
const path = '/connectors/xero/v2/tokens'
const xero = {
  ...postgres,
  Id: '00000000-0000-4000-8000-000000000009',
  Type: 'xero',
  Title: 'Xero',
  Kind: 'accounting' as const,
}

const token: AccountingToken = {
  id: '00000000-0000-4000-8000-000000000a01',
  email: 'ana@books.example',
  xero_userid: '00000000-0000-4000-8000-000000000b01',
  name: 'Ana Berg',
  Status: 'ACTIVE',
  App: 'provider',
  DiesAtUtc: null,
}
const tenant: TokenTenant = {
  id: '00000000-0000-4000-8000-000000000c01',
  tenantId: '00000000-0000-4000-8000-000000000901',
  tenantName: 'Harbour Trading Ltd',
  name: 'Ana Berg',
  email: token.email,
  xero_userid: token.xero_userid,
  creds: null,
  Country: 'NZ',
  Currency: 'NZD',
  ProductId: null,
  CompanyName: null,
}

const made: AccountingProduct = {
  Id: '00000000-0000-4000-8000-000000000801',
  CompanyName: tenant.tenantName,
  LastIncrementalTriggerDate: null,
  NextTriggerAtUtc: null,
  Type: 'xero',
  Name: tenant.tenantName,
  Status: 'CONNECTED',
  Log: null,
  TieOut: null,
}

const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [postgres, xero],
  'GET /tributary/clients/:clientId/connector-types': () => [xero],
  'GET /tributary/clients/:clientId/connectors': () => [],
  'GET /token': () => [token],
  'GET /token/:tokenId': () => [tenant],
}

test('[ACC-1] a token leads to its organisations and their form; Submit is disabled until the form is complete', async () => {
  const sent: unknown[] = []
  fakeServer({
    ...everywhere,
    'PATCH /token/:tokenId': ({ body }) => {
      sent.push(body)
      return sent.length === 1 ? fault(409, 'tenantTaken', 'Harbour Trading Ltd is connected already.') : made
    },
  })
  signedInAs(superadmin)
  const { address } = renderApp(path)
  await userEvent.click(
    await screen.findByRole('button', { name: /^ana@books\.example.*00000000-0000-4000-8000-000000000b01/ }),
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Harbour Trading Ltd/ }))
  const submit = await screen.findByRole('button', { name: 'Submit' })
  expect(screen.getByLabelText<HTMLInputElement>('Organisation name').value).toBe('Harbour Trading Ltd')
  for (const [label, value] of [
    ['Host', 'db.example.com'],
    ['Database name', 'books'],
    ['Schema', 'xero'],
    ['User', 'writer'],
    ['Password', 'harbour-7'],
  ] as const) {
    expect(submit.hasAttribute('disabled')).toBe(true)
    await userEvent.type(screen.getByLabelText(label), value)
  }
  expect(submit.hasAttribute('disabled')).toBe(true)
  await userEvent.type(screen.getByLabelText('Confirm password'), 'harbour-7')
  await userEvent.click(submit)
  expect(within(await screen.findByRole('alert')).getByText('Harbour Trading Ltd is connected already.')).toBeDefined()
  await userEvent.click(submit)
  expect(await screen.findByText('Success!')).toBeDefined()
  await waitFor(() => expect(address()).toBe('/excel/security/entities'))
  const typed = {
    connector: 'mssql',
    host: 'db.example.com',
    database: 'books',
    schema: 'xero',
    user: 'writer',
    password: 'harbour-7',
  }
  expect(sent.at(-1)).toEqual({
    tenantId: tenant.tenantId,
    tenantName: 'Harbour Trading Ltd',
    creds: { ...typed, encryption: 'verify' },
    organisationId: harbour.Id,
  })
})

test('[ACC-1] a form that was submitted shows the stored values when it is opened again', async () => {
  let stored = tenant
  const creds = {
    connector: 'mssql',
    host: 'db.example.com',
    database: 'books',
    schema: 'xero',
    user: 'writer',
    password: '',
    encryption: 'verify',
    savedBy: null,
    savedAtUtc: null,
  } as const
  fakeServer({
    ...everywhere,
    'GET /token/:tokenId': () => [stored],
    'PATCH /token/:tokenId': () => {
      stored = { ...tenant, creds, CompanyName: harbour.CompanyName }
      return made
    },
  })
  signedInAs(superadmin)
  const { goTo } = renderApp(path)
  await userEvent.click(await screen.findByRole('button', { name: /^ana@books\.example/ }))
  await userEvent.click(await screen.findByRole('button', { name: /^Harbour Trading Ltd/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Use Tributary’s own warehouse' }))
  await waitFor(() => expect(screen.queryByLabelText('Host')).toBeNull())
  await goTo(-1)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Host').value).toBe('db.example.com'))
})

test("an organisation can have its rows in the product's own warehouse, with nothing filled in", async () => {
  const sent: { creds: { host: string } }[] = []
  fakeServer({
    ...everywhere,
    'PATCH /token/:tokenId': ({ body }) => {
      sent.push(body as (typeof sent)[number])
      return made
    },
  })
  signedInAs(superadmin)
  renderApp(`${path}?token=${token.id}&tenant=${tenant.tenantId}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Use Tributary’s own warehouse' }))
  expect(await screen.findByText('Success!')).toBeDefined()
  expect(sent.map(({ creds: { host } }) => host)).toEqual([''])
})

test('[ACC-1] failed and empty token lists have their messages; only a superadmin sees the page', async () => {
  fakeServer({
    ...everywhere,
    'GET /token': () => fault(500, 'broken', 'Something seems to have gone wrong, please try again.'),
  })
  signedInAs(superadmin)
  renderApp(path)
  expect(await screen.findByText('No tokens fetched')).toBeDefined()
  leave()

  fakeServer({ ...everywhere, 'GET /token': () => [] })
  signedInAs(superadmin)
  renderApp(path)
  expect(await screen.findByText('No tokens present')).toBeDefined()
  leave()

  const received = fakeServer(everywhere)
  signedInAs({ role: 'provideradmin', roleLevel: 1 })
  renderApp(path)
  expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
  expect(received).not.toContain('GET /token')
})
