import { randomBytes } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pageCompressors } from './page-compressor.ts'

/** Empty and long ones, some of which cannot be compressed. */
const pages = [0, 1, 1_000, 262_144, 3_000_000].flatMap((size) => [
  randomBytes(size),
  Buffer.alloc(size, 'order 17 of batch 4'),
  Buffer.alloc(size),
])
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

test('[LAKE-6] pages that are compressed at the same time become the frames that each would be alone', async () => {
  const leave = pageCompressors.enter()
  for (let round = 0; round < 2; round++) {
    // The compressors of the second round have no user that keeps them.
    if (round === 1) leave()
    const frames = await Promise.all(pages.map(async (page) => Buffer.concat(await pageCompressors.compress(page))))
    for (const [at, frame] of frames.entries()) {
      const page = pages[at] ?? Buffer.alloc(0)
      expect(zstdDecompressSync(frame).equals(page)).toBe(true)
      expect(frame.length).toBe(zstdCompressSync(page, { params, pledgedSrcSize: page.length }).length)
    }
  }
})
