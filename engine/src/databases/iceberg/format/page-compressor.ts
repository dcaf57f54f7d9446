/**
 * Compresses pages in the threads that Node has for it. All data files share a few compressors: creating one for each page would take more time
 * than compressing it, and the buffers that each one allocates would be most of the garbage of a load.
 */
import { constants, createZstdCompress } from 'node:zlib'

/** As many as Node has threads. */
const compressorsMax = 4
const outputBytes = 262_144
const options = {
  chunkSize: outputBytes,
  // Each page is a frame that has its size in its head.
  flush: constants.ZSTD_e_end,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
}

class PageCompressor {
  readonly #stream = createZstdCompress(options)
  #parts: Uint8Array[] = []

  constructor() {
    this.#stream.on('data', (part: Uint8Array) => this.#parts.push(part))
    // The page that fails gets the error.
    this.#stream.on('error', () => undefined)
  }

  async compress(page: Uint8Array): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(page, (error) => (error == null ? resolve() : reject(error)))
    })
    // What the stream has not emitted yet.
    while (this.#stream.read() !== null);
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  close(): void {
    this.#stream.destroy()
  }
}

class CompressorPool {
  readonly #idle: PageCompressor[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #users = 0

  /** The compressors exist until each of their users has ended. Returns what ends this use. */
  enter(): () => void {
    let isUser = true
    this.#users++
    return () => {
      if (!isUser) return
      isUser = false
      this.#users--
      if (this.#users === 0) for (const compressor of this.#idle.splice(0)) compressor.close()
    }
  }

  async compress(page: Uint8Array): Promise<readonly Uint8Array[]> {
    while (this.#busy >= compressorsMax) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy++
    const compressor = this.#idle.pop() ?? new PageCompressor()
    let isUsable = false
    try {
      const parts = await compressor.compress(page)
      isUsable = this.#users > 0
      return parts
    } finally {
      this.#busy--
      if (isUsable) this.#idle.push(compressor)
      else compressor.close()
      this.#waiting.shift()?.()
    }
  }
}

export const pageCompressors = new CompressorPool()
