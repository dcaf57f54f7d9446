/**
 * Sends the rows of a sheet in numbered chunks. A chunk whose reply was lost is sent again, which is idempotent by its
 * number.
 */
import { CallError } from '@tributary/client/call-error'
import { bodyMaxBytes, chunkRowsMax } from '@tributary/contract/limits'
import type { SheetCell } from '@tributary/contract/cells'
import { call } from '../api/call.ts'
import { PaneError } from '../api/pane-error.ts'
import { readRows, type SheetRange } from '../host/sheet.ts'

/** Rows below the headings, and the chunks that hold them. */
export interface TransferProgress {
  readonly rows: number
  readonly chunks: number
}

export const noProgress: TransferProgress = { rows: 0, chunks: 0 }

export interface RowTransfer {
  /** Without the headings. */
  readonly range: SheetRange
  readonly loadId: string
  /** Where an earlier attempt stopped. */
  readonly from: TransferProgress
  readonly signal: AbortSignal
  readonly onProgress: (progress: TransferProgress) => void
  /** Waits; with 0 it only yields the thread. Rejects when the signal aborts. */
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Excel on the web returns at most 5 MB in one round trip. */
const cellsPerRead = 30_000
/** Leaves room for the JSON around the rows. */
const chunkMaxBytes = bodyMaxBytes - 1_024
const backoffMs = [1_000, 3_000, 9_000]

export async function sendRows({ range, from, onProgress, ...transfer }: RowTransfer): Promise<void> {
  const rowsPerRead = Math.max(1, Math.min(chunkRowsMax, Math.floor(cellsPerRead / range.columns)))
  let sent = from
  while (sent.rows < range.rows) {
    const rows = await readRows(range, sent.rows, Math.min(rowsPerRead, range.rows - sent.rows))
    for (const chunk of splitIntoChunks(rows, range.row + sent.rows + 1)) {
      const number = sent.chunks + 1
      await sendWithRetries(transfer, number, chunk)
      sent = { rows: sent.rows + chunk.length, chunks: number }
      onProgress(sent)
      await transfer.delay(0, transfer.signal)
    }
  }
}

/** @param firstRow the row number in the sheet, for the error message */
export function splitIntoChunks(rows: readonly SheetCell[][], firstRow: number): SheetCell[][][] {
  const encoder = new TextEncoder()
  const chunks: SheetCell[][][] = []
  let room = 0
  for (const [at, row] of rows.entries()) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1
    if (bytes > chunkMaxBytes)
      throw new PaneError(`Row ${firstRow + at} holds more text than can be sent at once. Shorten its cells.`)
    if (bytes > room) {
      chunks.push([])
      room = chunkMaxBytes
    }
    chunks.at(-1)?.push(row)
    room -= bytes
  }
  return chunks
}

type ChunkTransfer = Pick<RowTransfer, 'loadId' | 'signal' | 'delay'>

function sendChunk({ loadId, signal }: ChunkTransfer, number: number, rows: SheetCell[][]) {
  return call('PUT /loads/:loadId/chunks/:number', { params: { loadId, number }, body: { rows }, signal })
}

/** Retries after a lost reply or a rate limit, before the user has to. */
async function sendWithRetries(transfer: ChunkTransfer, number: number, rows: SheetCell[][]): Promise<void> {
  for (const waitMs of backoffMs) {
    try {
      await sendChunk(transfer, number, rows)
      return
    } catch (error) {
      if (!(error instanceof CallError) || !(error.isTransient || error.statusCode === 429)) throw error
      await transfer.delay(error.retryAfterMs ?? waitMs, transfer.signal)
    }
  }
  await sendChunk(transfer, number, rows)
}
