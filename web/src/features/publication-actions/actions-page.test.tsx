import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { secretMask } from '@tributary/contract/limits'
import type { PublicationAction } from '@tributary/contract/publication-actions'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const ids = ['601', '602', '603', '604', '605'].map((end) => `00000000-0000-4000-8000-000000000${end}`)
const [actionId = '', tenantId = '', applicationId = '', workspaceId = '', datasetId = ''] = ids
const report: PublicationAction = {
  Id: actionId,
  Kind: 'powerBi',
  Name: 'Sales report',
  IsOn: true,
  SetId: null,
  Webhook: null,
  PowerBi: {
    TenantId: tenantId,
    ApplicationId: applicationId,
    WorkspaceId: workspaceId,
    DatasetId: datasetId,
    Capacity: 'premium',
  },
  Dbt: null,
  FailingSinceUtc: null,
  LastRun: null,
  SigningSecret: null,
}
const target = (Id: string, Target: string) => ({
  Id,
  Target,
  Schema: 'published',
  State: 'current' as const,
  Rule: { TieOut: 'any' as const, VerifiedWithinDays: null },
  IncidentAfterHours: null,
  Connectors: [],
  PublishedAtUtc: null,
  StaysSinceUtc: null,
  Notice: null,
})

function openPage(handlers: PortalHandlers = {}) {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/clients/:clientId/publication-actions': () => [report],
    'GET /tributary/clients/:clientId/publication-sets': () => [target(workspaceId, 'Tributary’s own warehouse')],
    ...handlers,
  })
  renderApp('/data/after-publishing')
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const field = (name: string) => screen.findByRole('textbox', { name })

test('[TRUST-13] an action is added with what its service needs, and the signing secret of a webhook is shown once', async () => {
  const sent: unknown[] = []
  openPage({
    'POST /tributary/clients/:clientId/publication-actions': ({ body }) => {
      sent.push(body)
      return { ...report, SigningSecret: 'whsec_shown_once' }
    },
  })
  await press('Add an action')
  await userEvent.type(await field('Address'), 'https://hooks.example.com/x')
  await userEvent.type(await field('Name'), 'Our program')
  await press('Save')
  expect(await screen.findByText('whsec_shown_once')).toBeDefined()
  expect(sent).toEqual([
    { name: 'Our program', isOn: true, setId: null, webhook: { address: 'https://hooks.example.com/x' } },
  ])
})

test('[TRUST-13] a change keeps the stored secret, and shows what the server refuses at its field', async () => {
  const sent: unknown[] = []
  openPage({
    'PUT /tributary/clients/:clientId/publication-actions/:actionId': ({ body }) => {
      sent.push(body)
      return fault(422, 'secretNeeded', 'The address has changed.', { 'powerBi.clientSecret': 'must be entered again' })
    },
  })
  await press('Change Sales report')
  await userEvent.clear(await field('Tenant'))
  await userEvent.type(await field('Tenant'), applicationId)
  await press('Save')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toMatchObject([
    { name: 'Sales report', powerBi: { tenantId: applicationId, clientSecret: secretMask, capacity: 'premium' } },
  ])
  expect(await screen.findByText('must be entered again')).toBeDefined()
})

test('[TRUST-13] an action may follow one of several target databases', async () => {
  const sent: unknown[] = []
  openPage({
    'GET /tributary/clients/:clientId/publication-sets': () => [target(workspaceId, 'One'), target(datasetId, 'Two')],
    'PUT /tributary/clients/:clientId/publication-actions/:actionId': ({ body }) => {
      sent.push(body)
      return report
    },
  })
  await press('Change Sales report')
  await userEvent.selectOptions(await screen.findByLabelText('Follow the publications of'), 'Two')
  await press('Save')
  await waitFor(() => expect(sent).toMatchObject([{ setId: datasetId }]))
})

test('[TRUST-13] while nothing is published, the page says so', async () => {
  openPage({ 'GET /tributary/clients/:clientId/publication-sets': () => [] })
  expect(await screen.findByText('Nothing is published yet.')).toBeDefined()
})
