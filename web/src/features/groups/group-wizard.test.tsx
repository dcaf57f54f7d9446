import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunks of the page are loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./groups-page.tsx'))
beforeEach(() => {
  signedInAs()
  fakeServer(everywhere)
})
afterEach(() => {
  leave()
  sessionStorage.clear()
})

const id = (n: number) => `00000000-0000-4000-8000-0000000008${String(n).padStart(2, '0')}`
const active = { Id: '00000000-0000-4000-8000-000000000020', Name: 'active' }
const north = { Id: id(1), Name: 'North' }
const attic = { Id: id(2), Name: 'Attic' }
const fish = { Id: id(3), Name: 'Fish' }
const record = (named: { Id: string; Name: string }) => ({ ...named, Status: active, GroupCount: 0 })
const milestone = (n: number, Name: string, VersionId: string) => ({
  ...record({ Id: id(n), Name }),
  VersionId,
  ListOrder: 1,
})
const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /areas': () => [
    { ...record(north), Subareas: [fish], AllCurrentAndFuture: false, LinkCount: 1 },
    { ...record(attic), Subareas: [], AllCurrentAndFuture: false, LinkCount: 0 },
  ],
  'GET /subareas': () => [
    { ...record(fish), AreasSubareas: [{ Area: north }], AllCurrentAndFuture: false, LinkCount: 1 },
  ],
  'GET /versions': () => [
    { ...record({ Id: id(10), Name: 'Budget' }), Milestones: [milestone(11, 'June', id(10))] },
    { ...record({ Id: id(20), Name: 'Forecast' }), Milestones: [milestone(21, 'July', id(20))] },
    { ...record({ Id: id(30), Name: 'Empty' }), Milestones: [] },
  ],
}
const pane = (name: RegExp) => screen.findByRole('group', { name })
const open = (step: string) => renderApp(`/excel/security/security-groups?group=new&step=${step}`)

test('[UX-EXCEL-1] name and steps are in one header above the lists, and nothing else is', async () => {
  open('area')
  const steps = await screen.findByRole('list', { name: 'Steps' })
  const header = steps.parentElement
  expect(header?.contains(screen.getByRole('textbox', { name: 'Security Group Name' }))).toBe(true)
  expect(header?.nextElementSibling?.contains(await pane(/^Areas/))).toBe(true)
  expect(
    within(steps)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1. Areas', '2. Subareas', '3. Versions & Milestones', 'Done'])
})

test('[UX-EXCEL-3] step 3 lists the milestones of the chosen version only, and none before one is chosen', async () => {
  open('version')
  const milestones = await pane(/^Milestones/)
  expect(milestones.dataset['disabled']).toBe('true')
  expect(milestones.textContent).toContain('Choose one of the versions first.')
  expect(within(milestones).queryAllByRole('checkbox')).toEqual([])
  await userEvent.click(screen.getByRole('radio', { name: 'Budget' }))
  expect(
    within(milestones)
      .getAllByRole('checkbox')
      .map((box) => box.closest('label')?.textContent),
  ).toEqual(['June'])
  await userEvent.click(screen.getByRole('radio', { name: 'Forecast' }))
  expect(
    within(milestones)
      .getAllByRole('checkbox')
      .map((box) => box.closest('label')?.textContent),
  ).toEqual(['July'])
  await userEvent.click(screen.getByRole('radio', { name: 'Empty' }))
  expect(milestones.textContent).toContain('Empty has no milestones yet.')
  expect(within(milestones).getByRole('link', { name: 'Add milestones' }).getAttribute('href')).toBe('/excel/versions')
})

test('[UX-EXCEL-2] if everything is granted, both panes are disabled and say so, until it is unticked', async () => {
  open('area')
  const everything = await screen.findByRole('checkbox', { name: 'All areas and subareas, current and future' })
  await userEvent.click(everything)
  for (const name of [/^Areas/, /^Subareas/]) {
    const disabled = await pane(name)
    expect(disabled.dataset['disabled']).toBe('true')
    expect(disabled.textContent).toContain('Everything is granted, so there is nothing to choose.')
  }
  await userEvent.click(everything)
  expect((await pane(/^Areas/)).dataset['disabled']).toBeUndefined()
})

test('[UX-EXCEL-4] [UX-EXCEL-10] each area shows how much the group grants of it; one without subareas links to its links', async () => {
  open('area')
  await userEvent.click(await screen.findByRole('radio', { name: 'North' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Fish' }))
  expect(screen.getByRole('radio', { name: 'North' }).getAttribute('aria-description')).toBe('1 subarea')
  await userEvent.click(screen.getByRole('button', { name: 'Without subareas' }))
  expect(screen.getAllByRole('radio', { name: /^(?:North|Attic)$/u })).toHaveLength(2)
  await userEvent.click(screen.getByRole('radio', { name: 'Attic' }))
  expect(screen.queryByRole('radio', { name: 'North' })).toBeNull()
  const link = within(await pane(/^Subareas/)).getByRole('link', { name: 'Link subareas' })
  expect(link.getAttribute('href')).toBe(`/excel/subareas/link?edit=${attic.Id}`)
})
