import { chunkLoadTimeoutMs } from '@tributary/contract/limits'
import { afterEach, expect, test, vi } from 'vitest'
import { ChunkLoadError, loadChunk } from './load-chunk.ts'

afterEach(() => vi.useRealTimers())

test('[GATE-7] a chunk that is not loaded within 120 s is a load error', async () => {
  vi.useFakeTimers()
  const outcome = loadChunk(() => new Promise(() => {})).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(chunkLoadTimeoutMs)
  expect(await outcome).toBeInstanceOf(ChunkLoadError)
})

test('[GATE-7] a chunk that cannot be loaded is a load error with its cause', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  await expect(loadChunk(() => Promise.reject(cause))).rejects.toMatchObject({ name: 'ChunkLoadError', cause })
})
