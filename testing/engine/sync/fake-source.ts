/** A source that returns prepared batches. */
import type { RowBatch, Checkpoint, Table } from '@tributary/engine/ports/model'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { column, stream, table } from './fixtures.ts'

export interface FakeStream extends Stream {
  readonly batches: readonly RowBatch[]
  readonly failure?: Error | undefined
  readonly hangs?: () => void
  /** Collects the name and the checkpoint of every read. */
  readonly readRequests?: string[]
  /** The checkpoint from which changes since a time can be read. */
  readonly again?: Checkpoint
}

export function fakeStream(name: string, batches: readonly RowBatch[] = [], failure?: Error): FakeStream {
  return { ...stream(table(name, [column('id', { kind: 'integer', bytes: 4 }, false)])), batches, failure }
}

export function fakeStreamOf(main: Table, batches: readonly RowBatch[], rest: Partial<FakeStream> = {}): FakeStream {
  return { ...stream(main), batches, ...rest }
}

export function fakeSource(streams: readonly FakeStream[], origin?: string): OpenSource {
  return {
    ...(origin !== undefined && { origin }),
    check: async () => [],
    streams: async () => streams,
    async *read({ name }, { since }) {
      const one = streams.find((each) => each.name === name)
      one?.readRequests?.push(since === null ? name : `${name} from ${JSON.stringify(since)}`)
      yield* one?.batches ?? []
      if (one?.failure !== undefined) throw one.failure
      if (one?.hangs === undefined) return
      one.hangs()
      await new Promise(() => {})
    },
    checkpointAt: async ({ name }) => streams.find((each) => each.name === name)?.again ?? null,
    async [Symbol.asyncDispose]() {},
  }
}
