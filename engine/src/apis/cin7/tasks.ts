/**
 * Reads the work of warehouse and office, whose lists tell nothing of changes. A document is read where its row in the list
 * is not one that was read before, and each time while the work is open: then its lines may change without the row.
 */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { Cin7 } from './api.ts'
import { border, readDocument, tellLength, wantedOf } from './details.ts'
import { walkList } from './lists.ts'
import { textOf } from './tables/declare.ts'
import type { TaskStream } from './tables/declare.ts'

const closed = /^(completed|authorised|closed|void(ed)?)$/i

export async function* readTasks(cin7: Cin7, stream: TaskStream, request: ReadRequest): AsyncGenerator<RowBatch> {
  const rows = await allRows(cin7, stream)
  const before = seenIn(request.since)
  const seen = new Set(rows.map(markOf).filter((mark) => before.has(mark)))
  const due = rows.filter((row) => isOpen(row) || !seen.has(markOf(row)))
  tellLength(cin7, stream, due.length, request)

  for (const row of due) {
    const batches = await readDocument(cin7, stream, wantedOf(stream, row), request)
    if (batches === null) continue
    yield* batches
    seen.add(markOf(row))
    yield border(stream, { seen: written(seen) })
  }
  yield border(stream, { seen: written(seen) })
}

async function allRows(cin7: Cin7, stream: TaskStream): Promise<JsonObject[]> {
  const rows = new Map<string, JsonObject>()
  for await (const { content } of walkList(cin7, stream.list, { encode: (page) => page }).pages) {
    for (const row of content) rows.set(textOf(row, stream.id), row)
  }
  return [...rows.values()]
}

function isOpen(row: JsonObject): boolean {
  return !closed.test(textOf(row, 'Status'))
}

/** Eight letters for a row: of a million rows, one change in three hundred million would look like a row seen before. */
function markOf(row: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64').slice(0, markLength)
}
const markLength = 8

function written(seen: ReadonlySet<string>): string {
  return [...seen].join('')
}

function seenIn(checkpoint: Checkpoint | null): ReadonlySet<string> {
  const marks = String(checkpoint?.['seen'] ?? '')
  return new Set(
    Array.from({ length: marks.length / markLength }, (_, at) => marks.slice(at * markLength, (at + 1) * markLength)),
  )
}
