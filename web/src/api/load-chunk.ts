/** Loading of lazy chunks, with a time limit. */
import { chunkLoadTimeoutMs } from '@tributary/contract/limits'

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Rejects with a ChunkLoadError when the chunk cannot be loaded, or not within 120 s. */
export async function loadChunk<Module>(load: () => Promise<Module>, timeoutMs = chunkLoadTimeoutMs): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('A part of this page took too long to load.')), timeoutMs)
  })
  try {
    return await Promise.race([load(), tooLate])
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause
    throw new ChunkLoadError('A part of this page could not be loaded. There may be a newer version of Tributary.', {
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
}
