import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AlertChannel, AlertChannels } from '@tributary/contract/alert-channels'
import { secretMask } from '@tributary/contract/limits'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const list = 'GET /tributary/clients/:clientId/alert-channels'
const slack: AlertChannel = {
  Id: '00000000-0000-4000-8000-000000000501',
  Service: 'slack',
  Name: '#data-alerts',
  Address: `https://hooks.slack.com/${secretMask}`,
  Kinds: null,
  Connectors: null,
  Frequency: 'immediately',
  Hour: 8,
  TimeZone: 'Europe/London',
  LastDelivery: null,
  Secret: null,
}

function openAlerts(handlers: PortalHandlers, channels: AlertChannels = { Mail: null, Channels: [slack] }) {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    [list]: () => channels,
    ...handlers,
  })
  renderApp('/admin/alerts')
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const field = (name: string) => screen.findByRole('textbox', { name })

test('[UX-ALERT-1] a channel is added with what its service needs', async () => {
  const sent: unknown[] = []
  openAlerts({
    'POST /tributary/clients/:clientId/alert-channels': ({ body }) => {
      sent.push(body)
      return slack
    },
  })
  await press('Add a channel')
  await userEvent.click(await screen.findByRole('radio', { name: 'Microsoft Teams' }))
  expect(screen.getByText(/Office 365 connectors no longer work/)).toBeDefined()
  await userEvent.type(await field('Address'), 'https://x.environment.api.powerplatform.com/y?sig=z')
  await userEvent.type(await field('Name'), 'Finance')
  await userEvent.click(screen.getByRole('radio', { name: /^Once a day/ }))
  await press('Save')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toMatchObject([
    {
      service: 'teams',
      name: 'Finance',
      address: 'https://x.environment.api.powerplatform.com/y?sig=z',
      kinds: null,
      connectors: null,
      frequency: 'daily',
      hour: 8,
    },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('[UX-ALERT-5] a change keeps the stored address, which is never shown', async () => {
  const sent: unknown[] = []
  openAlerts({
    'PUT /tributary/clients/:clientId/alert-channels/:channelId': ({ body }) => {
      sent.push(body)
      return slack
    },
  })
  await press('Change #data-alerts')
  const address = await field('Address')
  expect([(address as HTMLInputElement).value, (address as HTMLInputElement).readOnly]).toEqual([secretMask, true])
  const name = await field('Name')
  await userEvent.clear(name)
  await userEvent.type(name, '#finance')
  await press('Save')
  await waitFor(() => expect(sent).toMatchObject([{ name: '#finance', address: slack.Address, service: 'slack' }]))
})

test('[UX-ALERT-1] a refused address is explained at its field, and nothing may be left unticked', async () => {
  const words = 'This is the address of a page of Slack.'
  openAlerts({
    'POST /tributary/clients/:clientId/alert-channels': () => fault(422, 'settingsWrong', words, { address: words }),
  })
  await press('Add a channel')
  await userEvent.type(await field('Address'), 'https://app.slack.com/client')
  await userEvent.type(await field('Name'), 'x')
  const [ofKinds] = screen.getAllByRole('radio', { name: 'Only those ticked' })
  await userEvent.click(ofKinds ?? document.body)
  await press('Save')
  expect(await screen.findByText('Tick at least one kind of alert.')).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'A run failed' }))
  await press('Save')
  const address = await field('Address')
  await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'))
})

test('[UX-ALERT-5] the signing secret of a new webhook is shown once', async () => {
  openAlerts({
    'POST /tributary/clients/:clientId/alert-channels': () => ({ ...slack, Secret: 'whsec_shown-once' }),
  })
  await press('Add a channel')
  await userEvent.click(await screen.findByRole('radio', { name: 'Webhook' }))
  await userEvent.type(await field('Address'), 'https://hooks.example.com/x')
  await userEvent.type(await field('Name'), 'Pager')
  await press('Save')
  expect(await screen.findByText('whsec_shown-once')).toBeDefined()
  await press('I have copied it')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('[UX-ALERT-8] the answer of the service is shown next to its channel', async () => {
  const answers = [
    { Delivered: true, Notice: 'Slack has posted the test message.' },
    { Delivered: false, Notice: 'The Slack channel is archived (channel_is_archived).' },
  ]
  openAlerts({
    'POST /tributary/clients/:clientId/alert-channels/:channelId/test': () =>
      answers.shift() ?? fault(429, 'tooMany', 'Too many attempts. Try again in 9 seconds.'),
  })
  const entry = (await screen.findByText('#data-alerts')).closest('li') ?? document.body
  for (const words of ['posted the test message', 'channel_is_archived', 'Try again in 9 seconds']) {
    await press('Send a test: #data-alerts')
    expect(await within(entry).findByText(new RegExp(words))).toBeDefined()
  }
})

test('[UX-ALERT-11] a message that was given up is shown with its reason', async () => {
  const failed = { Status: 'FAILED', AtUtc: '2026-11-20T07:00:00Z', Notice: 'The workflow is gone (410).' } as const
  openAlerts({}, { Mail: null, Channels: [{ ...slack, LastDelivery: failed }] })
  expect(await screen.findByText('The last message was not delivered.')).toBeDefined()
  expect(screen.getByText('The workflow is gone (410).')).toBeDefined()
})

test('[UX-ALERT-1] mails are chosen, and the choice is removed', async () => {
  const sent: unknown[] = []
  const mail = { ...slack, Kinds: ['tieOut' as const], Frequency: 'daily' as const, Hour: 17 }
  openAlerts(
    {
      'PUT /tributary/clients/:clientId/alert-channels/mail': ({ body }) => {
        sent.push(body)
        return { Mail: null, Channels: [] }
      },
    },
    { Mail: mail, Channels: [] },
  )
  expect(await screen.findByText('Rows do not add up, all connectors, daily at 17:00 (London time)')).toBeDefined()
  await press('Change mails')
  await userEvent.click(await screen.findByRole('radio', { name: /^At once, to the recipients/ }))
  await press('Save')
  await waitFor(() => expect(sent).toEqual([{ choice: null }]))
})
