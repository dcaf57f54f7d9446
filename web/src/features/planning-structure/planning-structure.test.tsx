import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { cacheForUser } from '../../api/local-storage.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunks of the pages are loaded before the tests, so that loading does not count as test time.
beforeAll(() => Promise.all([import('./areas-page.tsx'), import('./versions-page.tsx')]))
afterEach(leave)

const statuses = {
  active: { Id: '00000000-0000-4000-8000-000000000020', Name: 'active' },
  locked: { Id: '00000000-0000-4000-8000-000000000021', Name: 'locked' },
  archived: { Id: '00000000-0000-4000-8000-000000000022', Name: 'archived' },
}
const quay = {
  Id: '00000000-0000-4000-8000-000000000601',
  Name: 'North quay',
  Status: statuses.active,
  Subareas: [1, 2, 3].map((n) => ({ Id: `00000000-0000-4000-8000-00000000070${n}`, Name: `Berth ${n}` })),
  AllCurrentAndFuture: false,
  LinkCount: 3,
  GroupCount: 2,
}
const budget = {
  Id: '00000000-0000-4000-8000-000000000611',
  Name: 'Budget 2026',
  Status: statuses.locked,
  Milestones: [],
  GroupCount: 0,
}

function paged(rows: readonly object[], total = rows.length): Response {
  return Response.json(rows, { headers: { 'x-total-count': String(total) } })
}

const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /statuses': () => Object.values(statuses),
  'GET /areas': () => paged([quay]),
  'GET /versions': () => paged([budget]),
}

test('[AREA-1] sorting and searching request page 1 from the server, in lowercase, and are kept in the URL', async () => {
  signedInAs()
  const asked: string[] = []
  fakeServer({
    ...everywhere,
    'GET /areas': ({ url }) => {
      asked.push(['search', 'sort', 'page', 'pageSize', 'archived'].map((name) => url.searchParams.get(name)).join(' '))
      return paged([quay], 340)
    },
  })
  const { address } = renderApp('/excel/areas?page=3')
  const header = await screen.findByRole('columnheader', { name: 'Name' })
  expect(header.getAttribute('aria-sort')).toBe('ascending')
  await userEvent.click(within(header).getByRole('button'))
  await waitFor(() => expect(header.getAttribute('aria-sort')).toBe('descending'))
  await userEvent.click(screen.getByRole('searchbox', { name: 'Search areas' }))
  await userEvent.paste('QUAY')
  await waitFor(() => expect(address()).toBe('/excel/areas?sort=desc&search=quay'))
  await waitFor(() => expect(asked).toEqual([' asc 3 50 true', ' desc 1 50 true', 'quay desc 1 50 true']))
  expect(screen.getByText('340 areas match')).toBeDefined()
})

test('while a search is loading the list stays as it was, and claims no match for the new term', async () => {
  signedInAs()
  const answer = Promise.withResolvers<Response>()
  const received = fakeServer({
    ...everywhere,
    'GET /areas': ({ url }) => (url.searchParams.has('search') ? answer.promise : paged([quay], 340)),
  })
  const { address } = renderApp('/excel/areas')
  expect(await screen.findByText('340 areas')).toBeDefined()
  await userEvent.click(screen.getByRole('searchbox', { name: 'Search areas' }))
  await userEvent.paste('none')
  await waitFor(() => expect(address()).toBe('/excel/areas?search=none'))
  await waitFor(() => expect(received.filter((name) => name === 'GET /areas')).toHaveLength(2))
  expect(screen.getByText('340 areas')).toBeDefined()
  answer.resolve(paged([], 0))
  expect(await screen.findByText("None of the areas matches 'none'.")).toBeDefined()
})

test('a page past the end redirects to the last one', async () => {
  signedInAs()
  fakeServer({
    ...everywhere,
    'GET /areas': ({ url }) => paged(url.searchParams.get('page') === '2' ? [quay] : [], 51),
  })
  const { address } = renderApp('/excel/areas?page=9')
  await waitFor(() => expect(address()).toBe('/excel/areas?page=2'))
  expect(await screen.findByText('North quay')).toBeDefined()
  expect(screen.getByText('Page 2 of 2')).toBeDefined()
})

test('[AREA-2] names are added one at a time; failures stay in the box with their messages, and the dialog closes only when all succeed', async () => {
  signedInAs()
  const taken = 'There is already one with the name Bar. Choose another name.'
  let open = 0
  const bodies: unknown[] = []
  let isTaken = true
  fakeServer({
    ...everywhere,
    'POST /areas': async ({ body }) => {
      bodies.push(body)
      expect(++open).toBe(1)
      await new Promise((resolve) => setTimeout(resolve))
      open -= 1
      return isTaken && (body as { name: string }).name === 'Bar'
        ? fault(409, 'nameTaken', taken, { name: 'taken' })
        : quay
    },
  })
  renderApp('/excel/areas')
  await userEvent.click(await screen.findByRole('button', { name: 'Add new Area(s)' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add new Area(s)' })
  const box = within(dialog).getByLabelText<HTMLTextAreaElement>('Names')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(within(dialog).getByText('required')).toBeDefined()
  await userEvent.type(box, '  Kitchen {Enter}{Enter}Bar{Enter}Attic')
  expect(within(dialog).getByText('3 names')).toBeDefined()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(box.value).toBe('Bar'))
  expect(within(dialog).getByRole('alert').textContent).toBe(`Bar: ${taken}`)
  expect(bodies).toEqual(['Kitchen', 'Bar', 'Attic'].map((name) => ({ name, comOrganisationId: harbour.Id })))
  isTaken = false
  await userEvent.type(box, '{Control>}{Enter}{/Control}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('[AREA-2] while names are being added the dialog stays open for every key, and shows the names that fail', async () => {
  signedInAs()
  const answer = Promise.withResolvers<Response>()
  fakeServer({ ...everywhere, 'POST /areas': () => answer.promise })
  renderApp('/excel/areas')
  await userEvent.click(await screen.findByRole('button', { name: 'Add new Area(s)' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add new Area(s)' })
  await userEvent.type(within(dialog).getByLabelText('Names'), 'Bar')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(within(dialog).getByRole('button', { name: 'Cancel' }).hasAttribute('disabled')).toBe(true)
  await userEvent.keyboard('{Escape}')
  answer.resolve(fault(409, 'nameTaken', 'There is already one with the name Bar.', { name: 'taken' }))
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Bar: There is already one with the name Bar.')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a change refused after Escape was pressed is reported, and the typed values are still there', async () => {
  signedInAs()
  const answer = Promise.withResolvers<Response>()
  fakeServer({ ...everywhere, 'POST /areas/:areaId': () => answer.promise })
  renderApp('/excel/areas')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit North quay' })
  const name = within(dialog).getByLabelText<HTMLInputElement>('Name')
  await userEvent.type(name, ' 2')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apply' }))
  await userEvent.keyboard('{Escape}')
  answer.resolve(fault(409, 'nameTaken', 'There is already one with that name.', { name: 'taken' }))
  expect(await within(dialog).findByText('There is already one with that name.')).toBeDefined()
  expect(name.value).toBe('North quay 2')
})

test('[AREA-3] Edit sends only changed fields, with the status id that GET /statuses has for the name; Undo reverts it', async () => {
  signedInAs()
  const bodies: unknown[] = []
  fakeServer({
    ...everywhere,
    'POST /areas/:areaId': ({ body }) => {
      bodies.push(body)
      return quay
    },
  })
  renderApp('/excel/areas')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit North quay' })
  expect(
    within(dialog)
      .getAllByRole('radio')
      .map((radio) => radio.parentElement?.querySelector('span')?.textContent),
  ).toEqual(['Active', 'Archive'])
  await userEvent.click(within(dialog).getByRole('radio', { name: /Archive/ }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apply' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(bodies).toEqual([{ statusId: statuses.archived.Id }, { statusId: statuses.active.Id }]))
})

test('[AREA-3] a missing status displays as ACTIVE', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'GET /areas': () => paged([{ ...quay, Status: { Id: quay.Id, Name: '' } }]) })
  renderApp('/excel/areas')
  expect(await screen.findByText('ACTIVE')).toBeDefined()
})

test('[AREA-4] only a superadmin is offered Delete, with a description of its other effects', async () => {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  fakeServer(everywhere)
  renderApp('/excel/areas')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete North quay?' })
  expect(within(dialog).getByText(/^3 linked subareas will be unlinked\./)).toBeDefined()
})

test('[VER-2] [VER-3] both table names follow the typed name, and a taken one is shown at the field with its owner', async () => {
  signedInAs()
  const message = 'The table B2SBudget2027 would then belong to two: Budget 2027 has it already.'
  fakeServer({
    ...everywhere,
    'POST /versions/:versionId': () => fault(409, 'tableNameTaken', message, { name: 'taken' }),
  })
  renderApp('/excel/versions')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit Budget 2026' })
  const name = within(dialog).getByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.type(name, 'Budget 2 0 2 7')
  expect(within(dialog).getByText('B2SBudget2027')).toBeDefined()
  expect(within(dialog).getByText('Budget2027SQLLoader')).toBeDefined()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apply' }))
  expect(await within(dialog).findByText(message)).toBeDefined()
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(within(dialog).queryByRole('alert')).toBeNull()
})

test('[SHELL-12] the first page of a list is cached under its name for this organisation, and the breadcrumb as breadCrumb', async () => {
  signedInAs()
  fakeServer(everywhere)
  renderApp('/excel/areas')
  await screen.findByText('North quay')
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem('areas') ?? '')).toEqual({ orgId: harbour.Id, rows: [quay], total: 1 }),
  )
  expect(JSON.parse(localStorage.getItem('breadCrumb') ?? '')).toEqual(['Excel', 'Areas'])
})

test('a list that cannot be cached in the browser is shown nevertheless, and an older entry is removed', () => {
  signedInAs()
  localStorage.setItem('areas', '{"rows":[]}')
  // Simulates a value over the quota.
  expect(cacheForUser('areas', 1n)).toBe(1n)
  expect(localStorage.getItem('areas')).toBeNull()
})

test('[SHELL-8] [SHELL-12] a list that arrives after signing out is not cached in the browser', () => {
  expect(cacheForUser('areas', { rows: [quay] })).toEqual({ rows: [quay] })
  expect(localStorage.getItem('areas')).toBeNull()
})

test('[ROLE-3] a user with read access sees the list without actions', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  fakeServer(everywhere)
  renderApp('/excel/versions')
  expect(await screen.findByText('Budget 2026')).toBeDefined()
  expect(screen.getByText('LOCKED')).toBeDefined()
  for (const name of ['Add new Version(s)', 'Add Milestone', 'Edit', 'Delete'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Manage' })).toBeNull()
})

test('[GATE-8] [ROLE-1] a guest is refused every Excel page, and none of its data is requested', async () => {
  signedInAs({ role: 'guest', roleLevel: 4 })
  const received = fakeServer(everywhere)
  renderApp('/excel/versions')
  expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
  expect(received).not.toContain('GET /versions')
  expect(screen.queryByRole('link', { name: 'Excel' })).toBeNull()
})

test('in the table arrow keys move between rows, E edits the focused row, N adds, and typing into the search does neither', async () => {
  signedInAs()
  const harbourside = { ...quay, Id: '00000000-0000-4000-8000-000000000602', Name: 'Harbourside' }
  fakeServer({ ...everywhere, 'GET /areas': () => paged([quay, harbourside]) })
  renderApp('/excel/areas')
  const [first, second] = await screen.findAllByRole('button', { name: 'Edit' })
  first?.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(second)
  await userEvent.keyboard('{ArrowDown}{Home}')
  expect(document.activeElement).toBe(first)
  await userEvent.keyboard('{End}')
  await userEvent.keyboard('e')
  expect(await screen.findByRole('dialog', { name: 'Edit Harbourside' })).toBeDefined()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.type(screen.getByRole('searchbox'), 'ne')
  expect(screen.queryByRole('dialog')).toBeNull()
  second?.focus()
  await userEvent.keyboard('n')
  expect(await screen.findByRole('dialog', { name: 'Add new Area(s)' })).toBeDefined()
})
