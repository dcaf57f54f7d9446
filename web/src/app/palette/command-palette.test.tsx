import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import type { SearchHit } from '@tributary/contract/search'
import { afterEach, expect, test } from 'vitest'
import { readIdentity } from '../../api/session/session.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { postgres } from '@tributary/testing/web/manage-page.ts'
import {
  harbour,
  leave,
  manyOrganisations,
  renderApp,
  session,
  signedInAs,
  summit,
} from '@tributary/testing/web/render-app.tsx'
import { xero } from '@tributary/testing/web/xero-samples.ts'
import { routes } from '../routes.ts'
import { mayOpen } from '../shell/navigation.ts'
import { listPageItems } from './page-items.ts'

afterEach(leave)

const shop = '00000000-0000-4000-8000-000000000301'

const hits: readonly SearchHit[] = [
  { Kind: 'connector', Id: shop, Name: 'Web shop', Detail: null, Connector: { Id: shop, Type: 'postgres' }, Run: null },
  {
    Kind: 'table',
    Id: 'orders',
    Name: 'orders',
    Detail: 'Web shop',
    Connector: { Id: shop, Type: 'postgres' },
    Run: null,
  },
  { Kind: 'area', Id: 'area-1', Name: 'Web quay', Detail: null, Connector: null, Run: null },
  { Kind: 'person', Id: 'person-1', Name: 'Webster Berg', Detail: 'w.berg@demo.example', Connector: null, Run: null },
]

const server: PortalHandlers = {
  'GET /organisations': () => [harbour, summit],
  'GET /roles': () => [],
  'GET /users': () => [],
  'GET /invitations': () => [],
  'GET /areas': () => [],
  'GET /tributary/clients/connector-types': () => [postgres],
  'GET /tributary/clients/:clientId/connector-types': () => [postgres],
  'GET /tributary/clients/:clientId/connectors': () => [],
  'GET /search': ({ url }) => (url.searchParams.get('search') === 'web' ? [...hits] : []),
}

async function open(path = '/home', role: RoleName = 'admin') {
  signedInAs({ role, roleLevel: roleLevels[role] })
  const app = renderApp(path)
  await screen.findByRole('button', { name: 'Go to…' })
  await userEvent.keyboard('{Control>}k{/Control}')
  // The first time, the chunk is compiled.
  await screen.findByRole('combobox', { name: /^Find/ }, { timeout: 15_000 })
  return app
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const selected = () => screen.getAllByRole('option', { selected: true }).map(({ textContent }) => textContent)

test('[UX-SHELL-9] Ctrl K opens the palette; arrows and Enter open a page; Escape closes it', async () => {
  fakeServer(server)
  const { address } = await open()
  expect(screen.getByRole('dialog', { name: 'Go to or find' })).toBeTruthy()
  await userEvent.keyboard('audit log')
  await waitFor(() => expect(options()).toEqual(['Audit logAdmingl']))
  const combobox = screen.getByRole('combobox', { name: /^Find/ })
  expect(combobox.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/audit-log'))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /^Find/ })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Go to…' }))
  await screen.findByRole('combobox', { name: /^Find/ })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /^Find/ })).toBeNull())
})

test('[UX-SHELL-9] records come from the server, in groups, and lead to their place in the portal', async () => {
  fakeServer(server)
  const { address } = await open()
  await userEvent.keyboard('web')
  await screen.findByRole('option', { name: /Webster Berg/ })
  const group = (name: string) => within(screen.getByRole('group', { name })).getAllByRole('option')
  expect(group('Connectors').map(({ textContent }) => textContent)).toEqual(['Web shop'])
  expect(group('Tables').map(({ textContent }) => textContent)).toEqual(['ordersWeb shop'])
  await userEvent.keyboard('{ArrowUp}')
  expect(selected()).toEqual(['Webster Bergw.berg@demo.example'])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/security/users?search=w.berg%40demo.example'))
})

test('[UX-SHELL-9] what was chosen is offered first the next time, to the same person in the same organisation', async () => {
  fakeServer(server)
  await open()
  await userEvent.keyboard('web')
  await userEvent.click(await screen.findByRole('option', { name: /Web quay/ }))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /^Find/ })).toBeNull())
  await userEvent.keyboard('{Control>}k{/Control}')
  const recent = within(await screen.findByRole('group', { name: 'Recent' }))
  expect(recent.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Web quay'])
})

test('[UX-SHELL-9] other organisations are found by name, and choosing one switches to it', async () => {
  fakeServer({ ...server, 'POST /auth/refresh': () => session({ organisationId: summit.Id }) })
  await open()
  expect(screen.queryByRole('option', { name: /Summit/ })).toBeNull()
  await userEvent.keyboard('summit{Enter}')
  await waitFor(() => expect(document.title).toContain('Summit Foods'))
})

test('[SCALE-4] of more organisations than are loaded, the palette finds one by a search of the server', async () => {
  const far = { ...summit, Id: '00000000-0000-4000-8000-000000009001', CompanyName: 'Quay far behind' }
  const searches: (string | null)[] = []
  fakeServer({
    ...server,
    'GET /organisations': ({ url: { searchParams } }) => {
      if (searchParams.has('id')) return [far]
      if (!searchParams.has('search')) return manyOrganisations
      searches.push(searchParams.get('search'))
      return [far]
    },
    'POST /auth/refresh': () => session({ organisationId: far.Id }),
  })
  await open()
  await userEvent.keyboard('far behind')
  await screen.findByRole('option', { name: /Quay far behind/ })
  expect(searches.at(-1)).toBe('far behind')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.title).toContain('Quay far behind'))
})

test('[UX-SHELL-9] a failed search reports the reason and leaves the pages', async () => {
  fakeServer({ ...server, 'GET /search': () => fault(503, 'unavailable', 'The database does not answer.') })
  await open()
  await userEvent.keyboard('users')
  expect(await screen.findByText(/^Records could not be searched/, {}, { timeout: 10_000 })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Users Admin' })).toBeTruthy()
})

test('[UX-SHELL-9] a term that matches nothing says so', async () => {
  fakeServer(server)
  await open()
  await userEvent.keyboard('zzzz')
  expect(await screen.findByText("Nothing matches 'zzzz'.")).toBeTruthy()
  expect(options()).toEqual([])
})

test.each(Object.keys(roleLevels) as RoleName[])(
  '[UX-SHELL-9] the palette offers %s exactly the listed pages that the role may open',
  (role) => {
    const roleLevel = roleLevels[role]
    signedInAs({ role, roleLevel })
    const user = readIdentity()
    if (user === null) throw new Error('Nobody is signed in.')
    const offered = listPageItems(user, [xero]).map(({ id }) => id)
    const expected = routes
      .filter((route) => route.allow !== 'visitor' && route.isListed !== false && mayOpen(route, roleLevel))
      .map(({ path }) => path.replace(/\/:\w+\?$/u, '').replace(':type', 'xero'))
      .filter((path) => path !== '/connectors/xero/manage' || role.includes('admin'))
    expect(offered.toSorted()).toEqual(expected.toSorted())
    expect(new Set(offered).size).toBe(offered.length)
  },
)

test('[UX-SHELL-9] a guest is offered no pages and no actions of administrators, and no people', async () => {
  fakeServer({
    ...server,
    'GET /search': () => hits.filter(({ Kind }) => Kind === 'person').map((hit) => ({ ...hit, Detail: null })),
  })
  await open('/home', 'guest')
  expect(options().join(' ')).not.toMatch(/Users|Invite|Areas|Add connector|Audit/)
  await userEvent.keyboard('webster')
  expect(await screen.findByText("Nothing matches 'webster'.")).toBeTruthy()
})
