import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { OrganisationReadyBy } from '@tributary/contract/ready-by'
import { afterEach, expect, test } from 'vitest'
import { everywhere } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs, summit } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const promised: OrganisationReadyBy = {
  Wish: null,
  TimeZone: 'Europe/London',
  Counts: { Kept: 38, Missed: 2 },
  Reasons: [{ Reason: 'workers', Missed: 2 }],
  Connectors: [
    {
      Id: '00000000-0000-4000-8000-000000000201',
      Name: 'Web shop',
      Type: 'postgres',
      Next: {
        DueAtUtc: '2026-11-30T07:30:00.000Z',
        StartAtUtc: '2026-11-30T07:40:00.000Z',
        StartedAtUtc: null,
        RunId: null,
        Obstacle: 'workers',
        Notice: 'The workers have no room before this time. Choose another time.',
      },
      Counts: { Kept: 8, Missed: 2 },
    },
  ],
}

/** Opens the dialog of the second organisation; Harbour Trading is the selected one. */
async function openReadyBy(role: 'provideradmin' | 'admin', company: string) {
  signedInAs({ role, roleLevel: role === 'admin' ? 2 : 1 })
  const saved: unknown[] = []
  fakeServer({
    ...everywhere,
    'GET /organisations': () => [harbour, summit],
    'GET /tributary/clients/:clientId/ready-by': () => promised,
    'PUT /tributary/clients/:clientId/ready-by': ({ body, url }) => {
      saved.push([url.pathname.includes(summit.Id), body])
      return promised
    },
  })
  renderApp(`/admin/organisations?organisation=${harbour.Id}`)
  const card = await screen.findByRole('article', { name: company })
  await userEvent.click(within(card).getByRole('button', { name: 'Ready by' }))
  const dialog = await screen.findByRole('dialog', { name: /^Ready by/u })
  await within(dialog).findByText(/on time for 38 of 40 promises in 30 days/u)
  return { dialog, saved }
}

test('[SCALE-3] the time of an organisation is set on its card, with what was missed and which connectors will be late', async () => {
  const { dialog, saved } = await openReadyBy('provideradmin', summit.CompanyName)
  const inside = within(dialog)
  expect(inside.getByRole('list', { name: 'Why times were missed' }).textContent).toBe('The workers had no room: 2')
  expect(inside.getByText('These connectors will not be ready in time')).toBeTruthy()
  expect(inside.getByText(/Web shop: The workers have no room before this time/u)).toBeTruthy()
  // It belongs to another organisation than the selected one.
  expect(inside.queryByRole('link', { name: 'Web shop' })).toBeNull()
  await userEvent.click(inside.getByRole('checkbox', { name: /rows of all connectors/u }))
  await userEvent.click(inside.getByRole('checkbox', { name: 'Friday' }))
  await userEvent.click(inside.getByRole('button', { name: 'Save for the organisation' }))
  const wish = { time: '07:30', days: [1, 2, 3, 4], maxAgeHours: 4 }
  await waitFor(() => expect(saved).toEqual([[true, { wish }]]))
})

test('[SCALE-3] in the selected organisation a connector that will be late is opened from there', async () => {
  const { dialog } = await openReadyBy('admin', harbour.CompanyName)
  const link = within(dialog).getByRole('link', { name: 'Web shop' })
  expect(link.getAttribute('href')).toContain('view=readyBy')
})
