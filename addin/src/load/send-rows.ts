/** Sends the rows of a sheet, chunk by chunk. A chunk whose answer was lost is sent again under its number, so no row arrives twice. */
import { bodyMaxBytes, chunkRowsMax } from '@tributary/contract/limits'
import type { Cell } from '@tributary/contract/cells'
import { CallError, Refusal } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { type Place, readRows } from '../host/sheet.ts'

/** How far it has come: rows below the headings, and the chunks that hold them. */
export interface Sent {
  readonly rows: number
  readonly chunks: number
}

export const nothingSent: Sent = { rows: 0, chunks: 0 }

export interface Sending {
  /** Of the rows alone, without their headings. */
  readonly place: Place
  readonly loadId: string
  /** Where an earlier attempt stopped. */
  readonly from: Sent
  readonly signal: AbortSignal
  readonly onProgress: (sent: Sent) => void
  /** Waits that long; with 0 it only lets the pane answer. Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Excel on the web hands over five megabytes at most. */
const cellsAtOnce = 30_000
/** Leaves room for what stands around the rows. */
const chunkMaxBytes = bodyMaxBytes - 1_024
const waitsMs = [1_000, 3_000, 9_000]

export async function sendRows({ place, from, onProgress, wait, ...way }: Sending): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.min(chunkRowsMax, Math.floor(cellsAtOnce / place.columns)))
  let sent = from
  while (sent.rows < place.rows) {
    const rows = await readRows(place, sent.rows, Math.min(rowsAtOnce, place.rows - sent.rows))
    for (const chunk of chunksOf(rows, place.row + sent.rows + 1)) {
      const number = sent.chunks + 1
      await patiently(() => sendChunk(way, number, chunk), wait, way.signal)
      sent = { rows: sent.rows + chunk.length, chunks: number }
      onProgress(sent)
      await wait(0, way.signal)
    }
  }
}

/** @param firstRow as the sheet numbers it, for the message. */
export function chunksOf(rows: readonly Cell[][], firstRow: number): Cell[][][] {
  const encoder = new TextEncoder()
  const chunks: Cell[][][] = []
  let room = 0
  for (const [at, row] of rows.entries()) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1
    if (bytes > chunkMaxBytes)
      throw new Refusal(`Row ${firstRow + at} holds more text than can be sent at once. Shorten its cells.`)
    if (bytes > room) {
      chunks.push([])
      room = chunkMaxBytes
    }
    chunks.at(-1)?.push(row)
    room -= bytes
  }
  return chunks
}

function sendChunk({ loadId, signal }: Pick<Sending, 'loadId' | 'signal'>, number: number, rows: Cell[][]) {
  return call('PUT /loads/:loadId/chunks/:number', { params: { loadId, number }, body: { rows }, signal })
}

/** A lost answer, a busy server: it is tried again a few times before a person has to. */
async function patiently(send: () => Promise<unknown>, wait: Sending['wait'], signal: AbortSignal): Promise<void> {
  for (const waitMs of waitsMs) {
    try {
      await send()
      return
    } catch (error) {
      if (!(error instanceof CallError) || !(error.isLost || error.statusCode === 429)) throw error
      await wait(error.retryAfterMs ?? waitMs, signal)
    }
  }
  await send()
}
