import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AuditorRoom, OwnAuditorRoom } from '@tributary/contract/auditor-rooms'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { afterEach, expect, test } from 'vitest'
import { describeExtent } from './room-words.ts'

afterEach(leave)

const connector = { Id: '00000000-0000-4000-8000-000000000201', Name: 'Harbour Books', Type: 'xero' }
const markId = '00000000-0000-4000-8000-000000000801'
const covered = { Id: markId, Name: 'June 2026', Connector: connector }
const months = { PeriodFrom: null, PeriodTo: null }

test('[TRUST-14] an administrator opens a room for a single mark, without a connector', async () => {
  const user = userEvent.setup()
  signedInAs()
  const opened: unknown[] = []
  const mark = { Id: markId, Name: 'June 2026', PeriodEnd: '2026-06-30', CreatedAtUtc: '2026-07-03T08:00:00.000Z' }
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/auditor-rooms': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/clients/:clientId/trust': () => ({ Sources: [{ Name: 'Harbour Books', Marks: [mark] }] }),
    'POST /tributary/clients/:clientId/auditor-rooms': ({ body }: { readonly body: unknown }) => {
      opened.push(body)
      return {}
    },
  })
  renderApp('/admin/security/auditor-rooms')
  await user.click(await screen.findByRole('button', { name: 'Open a room' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Open an auditor room' }))
  await user.type(dialog.getByRole('textbox', { name: /First name/u }), 'Avery')
  await user.type(dialog.getByRole('textbox', { name: /Last name/u }), 'Auditor')
  await user.type(dialog.getByRole('textbox', { name: /Email address/u }), 'avery@auditors.example')
  const marks = within(await dialog.findByRole('group', { name: 'Single marks that they read' }))
  expect(dialog.getByRole('button', { name: 'Invite' })).toHaveProperty('disabled', true)
  await user.click(marks.getByRole('checkbox', { name: /June 2026/u }))
  await user.click(dialog.getByRole('button', { name: 'Invite' }))
  expect(opened).toMatchObject([{ connectorIds: [], markIds: [markId], periodFrom: null }])
})

test('[TRUST-14] the extent of a room is said in words: connectors with their months, and single marks', () => {
  const extent: Pick<AuditorRoom & OwnAuditorRoom, 'Connectors' | 'Marks' | 'PeriodFrom' | 'PeriodTo'> = {
    Connectors: [],
    Marks: [covered],
    ...months,
  }
  const mark = 'what Harbour Books showed when ‘June 2026’ was reported'
  expect(describeExtent(extent)).toBe(mark)
  expect(describeExtent({ ...extent, Connectors: [connector] })).toBe(`Harbour Books, all months; ${mark}`)
})
