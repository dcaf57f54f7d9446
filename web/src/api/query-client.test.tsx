import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { leave, renderPart, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { messageOf } from '@tributary/client/call-error'
import { roleList } from './queries/common-queries.ts'

afterEach(leave)

function Roles() {
  const { data, error } = useQuery(roleList)
  return <output>{data === undefined ? error && messageOf(error) : `${data.length} roles`}</output>
}

function refuseFor(seconds: string): Response {
  const { status, body } = fault(429, 'tooMany', `Too many attempts. Try again in ${seconds} seconds.`)
  return new Response(body, { status, headers: { 'content-type': 'application/json', 'retry-after': seconds } })
}

test('a refusal by a rate limit is shown, and the data is fetched again after Retry-After', async () => {
  signedInAs()
  let isRefused = false
  const received = fakeServer({
    'GET /roles': () => {
      if (isRefused) return []
      isRefused = true
      return refuseFor('1')
    },
  })
  renderPart(<Roles />)
  await screen.findByText('Too many attempts. Try again in 1 seconds.')
  await screen.findByText('0 roles', {}, { timeout: 4_000 })
  expect(received).toEqual(['GET /roles', 'GET /roles'])
})
