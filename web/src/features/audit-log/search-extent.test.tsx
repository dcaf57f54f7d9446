import { unsearchedHeaders } from '@tributary/contract/limits'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { everywhere } from '@tributary/testing/web/admin-samples.ts'
import { event } from '@tributary/testing/web/audit-events.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const headers = {
  'x-total-count': '0',
  [unsearchedHeaders.continueBefore]: '701',
  [unsearchedHeaders.newestAt]: '2026-08-03T14:05:00.000Z',
}

test('[SCALE-4] the audit log says which events a search has left out, and continues with them', async () => {
  signedInAs({ role: 'admin', roleLevel: 2 })
  const searched: (string | null)[] = []
  fakeServer({
    ...everywhere,
    'GET /audit-events': ({ url }) => {
      const beforeId = url.searchParams.get('beforeId')
      searched.push(beforeId)
      return beforeId === null ? Response.json([], { headers }) : [event('organisation.created')]
    },
  })
  renderApp('/admin/audit-log?search=quay')
  expect(await screen.findByText('Nothing that matches is among the events that were searched.')).toBeDefined()
  expect(
    screen.getByText(/^The newest 25,000 events were searched\. Those of 3 Aug 2026.* and before were not\.$/u),
  ).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Search older events' }))
  expect(await screen.findByText(/These are the oldest events\./u)).toBeDefined()
  expect(screen.getByText('1 event')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Search older events' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Back to the newest events' }))
  expect(await screen.findByText('Nothing that matches is among the events that were searched.')).toBeDefined()
  expect(searched).toEqual([null, '701'])
})
