/**
 * Entry point of the child process that writes one file: reads the job and the rows from standard input, and writes the file to standard output.
 * The pipes make a fast side wait for a slow one.
 */
import { once } from 'node:events'
import type { DataCell } from '@tributary/contract/data'
import { release } from '@tributary/engine/databases/postgres/copy-out'
import type { ExportFormat, ExportJob, ExportRow, FileWriter } from './exported-table.ts'

/** Loads only what the format needs. */
const writers: Readonly<Record<ExportFormat, () => Promise<FileWriter>>> = {
  csv: async () => (await import('./csv-writer.ts')).writeCsv,
  xlsx: async () => (await import('./xlsx-writer.ts')).writeXlsx,
  parquet: async () => (await import('./parquet-writer.ts')).writeParquet,
}

try {
  const lines = readLines()
  const { format, table, columns } = JSON.parse(await readFirst(lines)) as ExportJob
  const write = await writers[format]()
  for await (const bytes of write({ table, columns, rows: readRows(lines) }))
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
} catch (error) {
  // Messages may contain values.
  const { name, stack = '' } = error as Error
  const frames = stack.split('\n').filter((line) => /^\s+at /u.test(line))
  process.stderr.write([name, ...frames].join('\n'))
  process.exitCode = 1
}

/** In batches: the first line, and then the lines of each chunk. */
async function* readLines(): AsyncGenerator<readonly string[]> {
  let rest = ''
  let isFirst = true
  const decoder = new TextDecoder()
  for await (const bytes of process.stdin as AsyncIterable<Buffer>) {
    const chunk = decoder.decode(bytes, { stream: true })
    release(bytes)
    rest += chunk
    if (!chunk.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (isFirst) yield lines.splice(0, 1)
    isFirst = false
    if (lines.length > 0) yield lines
  }
  if (rest !== '') yield [rest]
}

async function readFirst(lines: AsyncIterator<readonly string[]>): Promise<string> {
  const { value, done } = await lines.next()
  return done === true ? '' : (value[0] ?? '')
}

async function* readRows(lines: AsyncIterable<readonly string[]>): AsyncGenerator<readonly ExportRow[]> {
  for await (const batch of lines) yield batch.map(toRow)
}

/** PostgreSQL writes each row as a line of JSON, which has no line break within. */
function toRow(line: string): ExportRow {
  const json = line.endsWith(',') ? line.slice(0, -1) : line
  return Object.values(JSON.parse(json) as Readonly<Record<string, DataCell>>)
}
