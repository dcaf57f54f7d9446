import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Checklist, ChecklistName, ChecklistStep } from '@tributary/contract/checklist'
import type { OverviewConnector } from '@tributary/contract/overview'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { lastRun, overview, overviewConnector } from '@tributary/testing/web/overview-samples.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { stepPath } from './checklist-steps.ts'

afterEach(leave)

const titles = { connect: 'From a source to your first report', excel: 'Plan in Excel, if you plan in a spreadsheet' }

const checklistSteps = {
  connect: ['connectSource', 'firstRun', 'seeRows', 'connectReport', 'inviteColleague'],
  excel: ['areas', 'versions', 'tables', 'groups', 'firstLoad'],
} as const

function checklist(Name: ChecklistName, done: readonly ChecklistStep[]): Checklist {
  return { Name, Steps: checklistSteps[Name].map((step) => ({ Name: step, Done: done.includes(step) })) }
}

function openHome(Checklists: Checklist[], Connectors: OverviewConnector[] = []) {
  const received: unknown[] = []
  const dismissed = new Set<string>()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/overview': () =>
      overview({ Connectors, Checklists: Checklists.filter(({ Name }) => !dismissed.has(Name)) }),
    'PUT /tributary/clients/:clientId/checklists': ({ body }) => {
      received.push(body)
      const { name, isDismissed } = body as { name: string; isDismissed: boolean }
      if (isDismissed) dismissed.add(name)
      else dismissed.delete(name)
      return undefined
    },
  })
  renderApp('/home')
  return received
}
const list = async (name: ChecklistName) => within(await screen.findByRole('region', { name: titles[name] }))

test('[UX-HOME-4] a new organisation is welcomed, with the next step of each checklist marked', async () => {
  signedInAs()
  openHome([checklist('connect', []), checklist('excel', ['areas'])])
  const connect = await list('connect')
  expect(screen.getByText('Welcome, Amara. Harbour Trading is ready to begin.')).toBeDefined()
  expect(connect.getByText('0 of 5 done')).toBeDefined()
  expect(connect.getAllByRole('listitem').map((item) => item.getAttribute('aria-current'))).toEqual([
    'step',
    null,
    null,
    null,
    null,
  ])
  const excel = await list('excel')
  expect(excel.getByText('1 of 5 done')).toBeDefined()
  expect(excel.getByRole('progressbar').getAttribute('value')).toBe('1')
  expect(excel.getAllByRole('listitem')[0]?.textContent).toContain('Create areas, done')
})

test('[UX-HOME-4] an organisation that has begun is not welcomed again', async () => {
  signedInAs()
  openHome([checklist('connect', ['connectSource'])], [overviewConnector()])
  await list('connect')
  expect(screen.queryByText(/^Welcome/)).toBeNull()
})

test('[UX-HOME-5] each step opens the place where it is done, once the steps before it are', () => {
  const fresh = overviewConnector({ FreshAtUtc: '2026-11-20T08:00:00.000Z', LastRun: lastRun() })
  const shared = overviewConnector({ SharedBy: 'Quayside Group', FreshAtUtc: null })
  const run = `/connectors/postgres/refresh?connector=${fresh.Id}&run=${lastRun().Id}`
  const path = (step: ChecklistStep, connectors: readonly OverviewConnector[]) => stepPath(step, connectors)
  expect(path('connectSource', [])).toBe('#available')
  for (const step of ['firstRun', 'seeRows', 'connectReport'] as const) expect(path(step, [shared])).toBeNull()
  expect(path('firstRun', [overviewConnector()])).toBe(`/connectors/postgres/refresh?connector=${fresh.Id}`)
  expect(path('seeRows', [overviewConnector()])).toBeNull()
  expect([path('firstRun', [fresh]), path('seeRows', [shared, fresh])]).toEqual([run, run])
  expect(path('connectReport', [fresh])).toBe('/connectors/postgres/refresh?reports=true')
  expect(path('inviteColleague', [])).toBe('/admin/security/users?invite=true')
  expect(checklistSteps.excel.map((step) => path(step, []))).toEqual([
    '/excel/areas',
    '/excel/versions',
    '/excel/table-synchronisation',
    '/excel/security/security-groups',
    '/excel/loads',
  ])
})

test('[UX-HOME-3] a checklist is dismissed, and can be shown again', async () => {
  signedInAs()
  const received = openHome([checklist('connect', []), checklist('excel', [])])
  await userEvent.click((await list('excel')).getByRole('button', { name: 'Dismiss' }))
  expect(await screen.findByText(`‘${titles.excel}’ is dismissed for Harbour Trading.`)).toBeDefined()
  expect(screen.queryByRole('region', { name: titles.excel })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show it again' }))
  await list('excel')
  expect(received).toEqual([
    { name: 'excel', isDismissed: true },
    { name: 'excel', isDismissed: false },
  ])
})

test('[UX-HOME-3] a checklist that could not be dismissed stays, with the reason', async () => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/overview': () => overview({ Checklists: [checklist('connect', [])] }),
    'PUT /tributary/clients/:clientId/checklists': () => fault(503, 'unavailable', 'Please try again.'),
  })
  renderApp('/home')
  const connect = await list('connect')
  await userEvent.click(connect.getByRole('button', { name: 'Dismiss' }))
  expect((await connect.findByRole('alert')).textContent).toContain('Please try again.')
})
