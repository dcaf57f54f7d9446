import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '@tributary/testing/addin/fake-server.ts'
import { call } from './call.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['GET /organisations', 30],
  ['POST /loads/:loadId/check', 300],
] as const)('%s times out after %s seconds, with a message that says so', async (name, seconds) => {
  const expired = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(expired.signal)
  expired.abort()
  fakeServer({})
  await expect(call(name as 'GET /organisations')).rejects.toThrow(
    `Tributary did not answer within ${seconds} seconds.`,
  )
  expect(timeout).toHaveBeenCalledWith(seconds * 1_000)
})

test('a server that cannot be reached, and a proxy that replies in its place, are reported in a sentence', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(call('GET /organisations')).rejects.toThrow('Tributary cannot be reached just now.')
  globalThis.fetch = async () => new Response('<html>Bad gateway</html>', { status: 502 })
  await expect(call('GET /organisations')).rejects.toThrow('Something seems to have gone wrong, please try again.')
})
