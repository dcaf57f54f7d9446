/** Reads bytes like an uploaded file, in this thread or in a worker thread like the server. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SheetCell } from '@tributary/contract/cells'
import type { SlashDates } from '../../../server/src/planning/sheet-files/csv/csv-dates.ts'
import { readFile } from '../../../server/src/planning/sheet-files/read-file.ts'
import { readSheets } from '../../../server/src/planning/sheet-files/read-sheets.ts'
import { SheetWriter } from '../../../server/src/planning/sheet-files/sheet-writer.ts'
import type { SheetChunk, SheetSummary } from '../../../server/src/planning/sheet-files/sheet.ts'

export interface ReadSheets {
  readonly sheets: readonly SheetSummary[]
  /** The rows of all sheets in order. */
  readonly rows: readonly (readonly SheetCell[])[]
}

/** Reads in a worker thread, like the server. */
export async function readBytes(bytes: Buffer): Promise<ReadSheets> {
  await using file = await fileOf(bytes)
  const chunks: SheetChunk[] = []
  const take = async (chunk: SheetChunk) => void chunks.push(chunk)
  const sheets = await readSheets({ fd: file.fd, signal: new AbortController().signal, take })
  return { sheets, rows: rowsOf(chunks) }
}

/** Reads in this thread, where unexpected exceptions are not caught. */
export async function readInMainThread(bytes: Buffer, slashDates?: SlashDates): Promise<ReadSheets> {
  await using file = await fileOf(bytes)
  const writer = new SheetWriter()
  const chunks: SheetChunk[] = []
  await readFile({ fd: file.fd, slashDates }, writer, async () => void chunks.push(...writer.take()))
  return { sheets: writer.summaries, rows: rowsOf(chunks) }
}

async function fileOf(bytes: Buffer): Promise<FileHandle> {
  const path = join(tmpdir(), `tributary-test-${randomUUID()}`)
  const file = await open(path, 'wx+')
  await rm(path)
  await file.write(bytes)
  return file
}

function rowsOf(chunks: readonly SheetChunk[]): (readonly SheetCell[])[] {
  return chunks.flatMap(({ rows }) => JSON.parse(rows) as (readonly SheetCell[])[])
}
