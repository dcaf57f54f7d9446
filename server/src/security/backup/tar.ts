/** The subset of the tar format that backups use. Any tar program can read it. */

const block = 512
/** Each entry is held in memory. */
const entryMax = 16 * 1_048_576

export interface TarEntry {
  readonly name: string
  readonly bytes: Buffer
}

export class InvalidTar extends Error {
  override readonly name = 'InvalidTar'
}

export function* tarEntry({ name, bytes }: TarEntry): Generator<Buffer> {
  yield header(name, bytes.length)
  yield bytes
  yield Buffer.alloc(padding(bytes.length))
}

export const tarEnd = Buffer.alloc(2 * block)

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, ‘ustar Interchange Format’. */
function header(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  bytes.write(name, 0, 100, 'utf8')
  bytes.write(octal(0o600, 7) + octal(0, 7) + octal(0, 7), 100)
  bytes.write(octal(size, 11) + octal(0, 11), 124)
  bytes.write('        0', 148)
  bytes.write('ustar\x0000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 6)} `, 148)
  return bytes
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

/** Throws `InvalidTar` if the bytes are no tar, or end too early. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source)
  for (;;) {
    const head = await reader.take(block)
    if (head.every((byte) => byte === 0)) return
    const name = head.toString('utf8', 0, 100).replace(/\0.*$/su, '')
    const size = Number.parseInt(head.toString('latin1', 124, 135), 8)
    if (!(size <= entryMax) || head.toString('latin1', 257, 262) !== 'ustar') throw new InvalidTar()
    const bytes = await reader.take(size)
    await reader.take(padding(size))
    yield { name, bytes }
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [this.#held]
    let size = this.#held.length
    while (size < count) {
      const { value, done } = await this.#source.next()
      if (done === true) throw new InvalidTar()
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.length))
      size += value.length
    }
    const bytes = pieces.length === 1 ? this.#held : Buffer.concat(pieces)
    this.#held = bytes.subarray(count)
    return bytes.subarray(0, count)
  }
}
