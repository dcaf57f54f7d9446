import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { beginLeaving, forgetSession } from '../../api/session/session.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// Only a sign-in resets the state that `beginLeaving` sets.
afterEach(() => {
  signedInAs()
  leave()
})

test('[SHELL-8] [SHELL-12] a reply that arrives while the page is being left stores nothing', async () => {
  signedInAs()
  let reply = (_organisations: (typeof harbour)[]): void => undefined
  const organisations = new Promise<(typeof harbour)[]>((resolve) => {
    reply = resolve
  })
  fakeServer({
    'GET /organisations': () => organisations,
    'GET /roles': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
  })
  renderApp('/excel/areas')
  await screen.findByRole('main')
  // Like the button 'Logout'. The browser then takes a moment to leave the page.
  beginLeaving()
  forgetSession()
  reply([harbour])
  expect((await screen.findAllByDisplayValue(harbour.CompanyName)).length).toBeGreaterThan(0)
  expect(Object.keys(localStorage)).toEqual([])
})
