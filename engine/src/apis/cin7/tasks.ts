/**
 * Reads warehouse and office tasks, whose lists have no filter for changes.
 * A document is read if its row in the list is new or differs, and each time while the task is open, because its
 * lines may change without the row.
 */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../http/exact-json.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import type { Cin7Connection } from './api.ts'
import { readDocument, reportLength, documentReferenceOf } from './details.ts'
import { walkList } from './lists.ts'
import { type TaskStream, textOf } from './tables/stream-kinds.ts'

const closed = /^(completed|authorised|closed|void(ed)?)$/i

export async function* readTasks(
  cin7: Cin7Connection,
  stream: TaskStream,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const rows = await readAllRows(cin7, stream)
  const before = parseHashes(request.since)
  const seen = new Set(rows.map(hashRow).filter((hash) => before.has(hash)))
  const dueRows = rows.filter((row) => isDue(row, seen))
  reportLength(cin7, stream, dueRows.length, request)

  for (const row of dueRows) {
    const batches = await readDocument(cin7, stream, documentReferenceOf(stream, row), request)
    if (batches === null) continue
    yield* batches
    seen.add(hashRow(row))
    yield checkpointBatch(stream.shape, { seen: joinHashes(seen) })
  }
  yield checkpointBatch(stream.shape, { seen: joinHashes(seen) })
}

/** The rows whose documents the next run reads. */
export function dueTasks(rows: readonly JsonObject[], checkpoint: Checkpoint | null): readonly JsonObject[] {
  const seen = parseHashes(checkpoint)
  return rows.filter((row) => isDue(row, seen))
}

function isDue(row: JsonObject, seen: ReadonlySet<string>): boolean {
  return isOpen(row) || !seen.has(hashRow(row))
}

async function readAllRows(cin7: Cin7Connection, stream: TaskStream): Promise<JsonObject[]> {
  const rows = new Map<string, JsonObject>()
  for await (const { content } of walkList(cin7, stream.list, { encode: (page) => page }).pages) {
    for (const row of content) rows.set(textOf(row, stream.id), row)
  }
  return [...rows.values()]
}

function isOpen(row: JsonObject): boolean {
  return !closed.test(textOf(row, 'Status'))
}

/**
 * Hashes a row to eight characters. Among a million rows, one change in three hundred million would collide with a
 * known hash.
 */
function hashRow(row: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64').slice(0, hashLength)
}
const hashLength = 8

function joinHashes(seen: ReadonlySet<string>): string {
  return [...seen].join('')
}

function parseHashes(checkpoint: Checkpoint | null): ReadonlySet<string> {
  const hashes = String(checkpoint?.['seen'] ?? '')
  return new Set(
    Array.from({ length: hashes.length / hashLength }, (_, at) => hashes.slice(at * hashLength, (at + 1) * hashLength)),
  )
}
