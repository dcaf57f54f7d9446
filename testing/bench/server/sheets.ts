/**
 * Reads every cell of a workbook and a text file of 50,000 rows and 50 columns for the store, compared with a bare
 * parse that only counts.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeLargeWorkbook } from '../../server/excel/raw-workbook.ts'
import { compare, readRowsOption, script } from '../measure.ts'
import type { SheetJob } from './sheets-read.ts'

const rows = readRowsOption(50_000)
const columns = 50
const reader = join(import.meta.dirname, 'sheets-read.ts')
const folder = await mkdtemp(join(tmpdir(), 'tributary-sheets-'))
const workbook = join(folder, 'large.xlsx')
const text = join(folder, 'large.csv')

try {
  await writeLargeWorkbook(workbook, rows, columns)
  // As many as the server's limit allows.
  const lines = Math.min(rows, 40_000)
  await pipeline(Readable.from(csvLines(lines)), createWriteStream(text))
  await compareReading('.xlsx', workbook, rows)
  await compareReading('.csv', text, lines)
} finally {
  await rm(folder, { recursive: true })
}

async function compareReading(kind: '.xlsx' | '.csv', path: string, count: number): Promise<void> {
  const bare = kind === '.xlsx' ? 'yauzl and saxes, cells only counted' : 'csv-parse, fields only counted'
  const title = `${kind}, ${count.toLocaleString('en')} × ${columns}, ${((await stat(path)).size / 1_048_576).toFixed(1)} MiB`
  const job = (how: SheetJob['how']) => () => script(reader, { path, kind, how } satisfies SheetJob)
  await compare({
    title,
    rows: count,
    cases: [
      { name: bare, run: job('bare') },
      { name: 'Tributary', run: job('ours') },
    ],
  })
}

function* csvLines(count: number): Iterable<string> {
  yield `${Array.from({ length: columns }, (_, column) => `Column ${column}`).join(',')}\n`
  for (let row = 1; row <= count; row++)
    yield `${Array.from({ length: columns }, (_, column) => fieldOf(row, column)).join(',')}\n`
}

function fieldOf(row: number, column: number): string {
  if (column % 5 === 0) return `Line ${row}`
  return column % 5 === 1 ? `2026-01-${10 + (row % 20)}` : `${row % 1_000}.${10 + (column % 90)}`
}
