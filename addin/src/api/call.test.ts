import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '@tributary/testing/addin/fake-server.ts'
import { call } from './call.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['GET /organisations', 30],
  ['POST /loads/:loadId/check', 300],
] as const)('%s waits %s seconds for its answer, and says so', async (name, seconds) => {
  const over = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal)
  over.abort()
  fakeServer({})
  await expect(call(name as 'GET /organisations')).rejects.toThrow(
    `Tributary did not answer within ${seconds} seconds.`,
  )
  expect(timeout).toHaveBeenCalledWith(seconds * 1_000)
})

test('a server that cannot be reached, and a proxy that answers for it, are told in words', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(call('GET /organisations')).rejects.toThrow('Tributary cannot be reached just now.')
  globalThis.fetch = async () => new Response('<html>Bad gateway</html>', { status: 502 })
  await expect(call('GET /organisations')).rejects.toThrow('Something seems to have gone wrong, please try again.')
})
