import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { beginLeaving, forgetSession } from '../../api/session/session.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// Only a sign-in makes a page that was being left one that stays.
afterEach(() => {
  signedInAs()
  leave()
})

test('[SHELL-8] [SHELL-12] what is answered while the page is being left leaves nothing behind', async () => {
  signedInAs()
  let answer = (_organisations: (typeof harbour)[]): void => undefined
  const organisations = new Promise<(typeof harbour)[]>((resolve) => {
    answer = resolve
  })
  fakeServer({
    'GET /organisations': () => organisations,
    'GET /roles': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
  })
  renderApp('/excel/areas')
  await screen.findByRole('main')
  // As the button 'Logout' does; then the page goes, which takes the browser a moment.
  beginLeaving()
  forgetSession()
  answer([harbour])
  expect((await screen.findAllByDisplayValue(harbour.CompanyName)).length).toBeGreaterThan(0)
  expect(Object.keys(localStorage)).toEqual([])
})
