/** Cuts content of unknown size into the parts of an upload. */
import type { ObjectContent } from './storage.ts'

/** S3 takes 10,000 parts of at least 5 MiB; Azure takes 50,000 blocks. */
const firstPartBytes = 8 * 1_048_576
const partsOfASize = 1_000

/** Content that one request can carry, or the parts of larger content. */
export type Upload = { readonly whole: Uint8Array } | { readonly parts: AsyncIterable<Uint8Array> }

export async function startUpload(content: ObjectContent): Promise<Upload> {
  const parts = splitIntoParts(content)
  const { value: first = new Uint8Array() } = await parts.next()
  const second = await parts.next()
  return second.done === true ? { whole: first } : { parts: concatenate([first, second.value], parts) }
}

async function* concatenate(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* first
  yield* rest
}

/**
 * Yields parts of equal size, of which only the last may be smaller. The size doubles after a thousand parts, so that
 * 10,000 parts have room for any table.
 */
async function* splitIntoParts(content: ObjectContent): AsyncGenerator<Uint8Array, undefined> {
  let pending: Uint8Array[] = []
  let size = 0
  let yielded = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    let rest = chunk
    for (;;) {
      const room = firstPartBytes * 2 ** Math.floor(yielded / partsOfASize) - size
      if (rest.length < room) break
      yield Buffer.concat([...pending, rest.subarray(0, room)])
      yielded += 1
      rest = rest.subarray(room)
      pending = []
      size = 0
    }
    // A copy, because the producer may reuse the memory of its chunk.
    if (rest.length > 0) pending.push(Uint8Array.from(rest))
    size += rest.length
  }
  if (size > 0 || yielded === 0) yield Buffer.concat(pending)
}
