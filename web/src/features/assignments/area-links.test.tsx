import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { LinkReplacement } from '@tributary/contract/assignments'
import type { Area, Subarea } from '@tributary/contract/planning-records'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endSession, forgetSession } from '../../api/session/session.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, session, signedInAs, summit } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./area-links-page.tsx'))
afterEach(leave)

const active = { Id: '00000000-0000-4000-8000-000000000020', Name: 'active' }
const id = (last: number) => `00000000-0000-4000-8000-000000000${last}`
const [hotel, villa, bar, kitchen] = [
  { Id: id(601), Name: 'Hotel' },
  { Id: id(602), Name: 'Villa' },
  { Id: id(701), Name: 'Bar' },
  { Id: id(702), Name: 'Kitchen' },
]

/** Two areas, two subareas and their links. Records each save, and replies once `answer` resolves. */
function structure(
  linked: Record<string, readonly string[]>,
  answer: () => Promise<Response | undefined> = async () => undefined,
) {
  const stored = new Map(Object.entries(linked))
  const saved: LinkReplacement[] = []
  const areas = [hotel, villa].map(({ Id, Name }) => (): Area => ({
    Id,
    Name,
    Status: active,
    Subareas: [bar, kitchen].filter((subarea) => stored.get(Id)?.includes(subarea.Id)),
    AllCurrentAndFuture: false,
    LinkCount: 0,
    GroupCount: 0,
  }))
  const subareas = [bar, kitchen].map((named): Subarea => ({
    ...named,
    Status: active,
    AreasSubareas: [],
    AllCurrentAndFuture: false,
    LinkCount: 0,
    GroupCount: 0,
  }))
  const handlers: PortalHandlers = {
    'GET /organisations': () => [harbour, summit],
    'POST /auth/refresh': () => session({ organisationId: summit.Id }),
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /areas': () => areas.map((area) => area()),
    'GET /subareas': () => subareas,
    'PUT /areas/:areaId/subareas': async ({ body, url }) => {
      const whole = body as LinkReplacement
      saved.push(whole)
      const refused = await answer()
      if (refused !== undefined) return refused
      stored.set(url.pathname.split('/')[3] ?? '', whole.ids)
      return { Ids: whole.ids, AllCurrentAndFuture: false }
    },
  }
  signedInAs()
  fakeServer(handlers)
  return saved
}

const pane = (name: RegExp) => screen.findByRole('group', { name })
async function box(name: string) {
  return within(await pane(/^Subareas/)).getByRole<HTMLInputElement>('checkbox', { name })
}
async function choose(name: string) {
  await userEvent.click(within(await pane(/^Areas/)).getByRole('radio', { name }))
}
const button = (name: string) => screen.findByRole('button', { name })

test('[LINK-3] selections for another area during a save are kept, and the editor stays open', async () => {
  const answer = Promise.withResolvers<undefined>()
  const saved = structure({}, () => answer.promise)
  renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(saved).toHaveLength(1))
  await choose('Villa')
  await userEvent.click(await box('Kitchen'))
  answer.resolve(undefined)
  expect(await screen.findByText('Hotel is saved.')).toBeDefined()
  // All effects of the save have happened by now.
  await new Promise((resolve) => setTimeout(resolve))
  expect((await box('Kitchen')).checked).toBe(true)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await button('Create new link')).toBeDefined()
  expect(saved.map(({ ids }) => ids)).toEqual([[bar.Id], [kitchen.Id]])
})

test('[LINK-3] a subarea deselected again during a save remains an unsaved change', async () => {
  const answer = Promise.withResolvers<undefined>()
  const saved = structure({}, () => answer.promise)
  renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(saved).toHaveLength(1))
  await userEvent.click(await box('Bar'))
  answer.resolve(undefined)
  expect(await screen.findByText('Hotel is saved.')).toBeDefined()
  expect(await screen.findByText('− Bar')).toBeDefined()
  expect((await box('Bar')).checked).toBe(false)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await button('Create new link')).toBeDefined()
  expect(saved.map(({ ids }) => ids)).toEqual([[bar.Id], []])
})

test('[LINK-3] a user who selected another area during a save stays in the editor', async () => {
  const answer = Promise.withResolvers<undefined>()
  const saved = structure({}, () => answer.promise)
  renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  await userEvent.click(await button('Create Link'))
  await waitFor(() => expect(saved).toHaveLength(1))
  await choose('Villa')
  answer.resolve(undefined)
  expect(await screen.findByText('Hotel is saved.')).toBeDefined()
  await new Promise((resolve) => setTimeout(resolve))
  expect((await box('Bar')).checked).toBe(false)
  await userEvent.click(await button('Back to links'))
  expect(await button('Create new link')).toBeDefined()
})

const question = () => screen.findByText('You have changes that are not saved.')

test('[LINK-3] leaving the page with unsaved changes asks whether to keep or discard them', async () => {
  structure({})
  const { address } = renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  const home = await screen.findByRole('link', { name: 'Home' })
  await userEvent.click(home)
  expect(await question()).toBeDefined()
  await userEvent.click(await button('Keep editing'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(home))
  expect(address()).toBe(`/excel/subareas/link?edit=${hotel.Id}`)
  expect((await box('Bar')).checked).toBe(true)
  await userEvent.click(home)
  await userEvent.click(await button('Discard changes'))
  await waitFor(() => expect(address()).toBe('/home'))
})

test('[LINK-3] the back button asks, too; another selection in the editor does not', async () => {
  structure({ [hotel.Id]: [kitchen.Id] })
  const { address, goTo } = renderApp('/excel/subareas/link')
  await userEvent.click(await button('Edit'))
  await userEvent.click(await box('Bar'))
  await choose('Villa')
  await waitFor(() => expect(address()).toBe(`/excel/subareas/link?edit=${villa.Id}`))
  expect(screen.queryByRole('dialog')).toBeNull()
  await goTo(-1)
  expect(await question()).toBeDefined()
  expect(address()).toBe(`/excel/subareas/link?edit=${villa.Id}`)
  await userEvent.click(await button('Discard changes'))
  expect(await button('Create new link')).toBeDefined()
  expect(address()).toBe('/excel/subareas/link')
})

test('[LINK-3] navigation during the last save continues after the save', async () => {
  const answer = Promise.withResolvers<undefined>()
  const saved = structure({}, () => answer.promise)
  const { address } = renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  await userEvent.click(await button('Create Link'))
  await waitFor(() => expect(saved).toHaveLength(1))
  await userEvent.click(await screen.findByRole('link', { name: 'Home' }))
  expect(await question()).toBeDefined()
  answer.resolve(undefined)
  await waitFor(() => expect(address()).toBe('/home'))
})

test('[LINK-3] switching the organisation with unsaved changes requires discarding them', async () => {
  structure({})
  renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await userEvent.click(await box('Bar'))
  const chooseSummit = async () => {
    await userEvent.click(await screen.findByRole('combobox', { name: 'Organisation' }))
    await userEvent.click(await screen.findByRole('option', { name: summit.CompanyName }))
  }
  await chooseSummit()
  expect(await question()).toBeDefined()
  await userEvent.click(await button('Keep editing'))
  expect((await box('Bar')).checked).toBe(true)
  await chooseSummit()
  await userEvent.click(await button('Discard changes'))
  expect(await screen.findByText(`Now working in ${summit.CompanyName}`)).toBeDefined()
  expect(await button('Create new link')).toBeDefined()
})

/** True if the browser would ask before it closes or reloads the tab. */
function isTabHeld(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

test('[LINK-3] closing a tab with unsaved changes asks first; signing out and an expired session do not', async () => {
  structure({})
  const { address } = renderApp(`/excel/subareas/link?edit=${hotel.Id}`)
  await box('Bar')
  expect(isTabHeld()).toBe(false)
  await userEvent.click(await box('Bar'))
  expect(isTabHeld()).toBe(true)
  forgetSession()
  expect(isTabHeld()).toBe(false)
  endSession()
  await waitFor(() => expect(address()).toContain('/?returnUrl='))
})

test("[LINK-1] a second click on 'Unlink' removes nothing else, and the focus stays in the page when no link is left", async () => {
  const answer = Promise.withResolvers<undefined>()
  const saved = structure({ [hotel.Id]: [bar.Id] }, () => answer.promise)
  renderApp('/excel/subareas/link')
  const unlink = await button('Unlink')
  unlink.focus()
  fireEvent.click(unlink)
  fireEvent.click(unlink)
  answer.resolve(undefined)
  expect(await screen.findByText('Nothing is linked yet.')).toBeDefined()
  expect(saved).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Link Areas to Subareas' })),
  )
})

test.each(['there', 'on another page'])('[LINK-1] a failed Undo is reported to a user who is %s', async (place) => {
  const answers = [undefined, fault(500, 'broken', 'Something seems to have gone wrong, please try again.')]
  const saved = structure({ [hotel.Id]: [bar.Id] }, async () => answers.shift())
  const { address } = renderApp('/excel/subareas/link')
  await userEvent.click(await button('Unlink'))
  const undo = await button('Undo')
  expect(await screen.findByText('Nothing is linked yet.')).toBeDefined()
  if (place === 'on another page') {
    await userEvent.click(await screen.findByRole('link', { name: 'Home' }))
    await waitFor(() => expect(address()).toBe('/home'))
  }
  fireEvent.click(undo)
  fireEvent.click(undo)
  expect(await screen.findByText(/Something seems to have gone wrong/)).toBeDefined()
  expect(saved).toHaveLength(2)
})

test.each(['', '?view=matrix', '?edit=new'])(
  '[UX-EXCEL-10] without areas and subareas /excel/subareas/link%s leads to both, and offers nothing else',
  async (query) => {
    signedInAs()
    fakeServer({ 'GET /organisations': () => [harbour], 'GET /areas': () => [], 'GET /subareas': () => [] })
    renderApp(`/excel/subareas/link${query}`)
    expect(await screen.findByText('There are no areas and no subareas yet.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Add areas' }).getAttribute('href')).toBe('/excel/areas')
    expect(screen.getByRole('link', { name: 'Add subareas' }).getAttribute('href')).toBe('/excel/subareas')
    expect(screen.queryByRole('button', { name: 'Create new link' })).toBeNull()
    expect(screen.queryByRole('searchbox', { name: 'Search areas' })).toBeNull()
  },
)
