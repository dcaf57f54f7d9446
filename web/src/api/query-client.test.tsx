import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { leave, renderPart, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { messageOf } from './call-error.ts'
import { roleList } from './queries/common-queries.ts'

afterEach(leave)

function Roles() {
  const { data, error } = useQuery(roleList)
  return <output>{data === undefined ? error && messageOf(error) : `${data.length} roles`}</output>
}

function tooMany(seconds: string): Response {
  const { status, body } = fault(429, 'tooMany', `Too many attempts. Try again in ${seconds} seconds.`)
  return new Response(body, { status, headers: { 'content-type': 'application/json', 'retry-after': seconds } })
}

test('who has called too often is told so, and the page goes on by itself when it may', async () => {
  signedInAs()
  let isOver = false
  const received = fakeServer({
    'GET /roles': () => {
      if (isOver) return []
      isOver = true
      return tooMany('1')
    },
  })
  renderPart(<Roles />)
  await screen.findByText('Too many attempts. Try again in 1 seconds.')
  await screen.findByText('0 roles', {}, { timeout: 4_000 })
  expect(received).toEqual(['GET /roles', 'GET /roles'])
})
