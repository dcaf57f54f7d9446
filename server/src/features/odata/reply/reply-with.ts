/** Sends a body whose length is unknown. A short one gets an ETag; a long one is streamed while it is produced. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface ReplyTarget {
  readonly reply: FastifyReply
  /** Aborts when the client disconnects, and when the reply fails. */
  readonly stop: AbortController
}

/** Up to this size a body is held back, so that its ETag can come before it. */
const heldBytesMax = 1_048_576

/** Rejects if the body fails before anything is sent. Later the connection is cut, so that the client knows that the reply is not complete. */
export async function replyWith(body: AsyncIterable<Buffer>, { reply, stop }: ReplyTarget): Promise<void> {
  const held: Buffer[] = []
  let size = 0
  let stream: PassThrough | null = null
  try {
    for await (const chunk of body) {
      held.push(chunk)
      size += chunk.length
      if (stream === null && size <= heldBytesMax) continue
      if (stream === null) {
        stream = new PassThrough({ highWaterMark: 262_144 })
        stream.on('error', () => undefined)
        reply.send(stream)
      }
      for (const each of held.splice(0)) await write(stream, each, stop.signal)
    }
  } catch (error) {
    if (stream === null) throw error
    stop.abort(error)
    stream.destroy(error as Error)
    return
  }
  if (stream === null) sendWhole(Buffer.concat(held), reply)
  else stream.end()
}

async function write(stream: PassThrough, chunk: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (!stream.write(chunk)) await once(stream, 'drain', { signal })
}

export function sendWhole(body: Buffer, reply: FastifyReply): void {
  // Weak: the compressed and the plain reply share one tag.
  const etag = `W/"${hash('sha256', body, 'base64url')}"`
  reply.header('etag', etag)
  const known = (reply.request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  if (known.includes(etag) || known.includes('*')) reply.code(304).send()
  else reply.send(body)
}
