/** Reads a text file of fields that commas, semicolons or tabs part (RFC 4180). It is read twice: how numbers are written is decided by all of it. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Encoding, findEncoding, textOf } from './csv-encoding.ts'
import { csvCell, type DecimalMark, isUndecided, markIn } from './csv-value.ts'
import { csvRecordMaxChars } from './sheet-limits.ts'
import type { SheetWriter } from './sheet-writer.ts'
import { Unreadable } from './unreadable.ts'

interface Form {
  readonly encoding: Encoding
  readonly separator: string
}

/** @param flush awaited again and again; sends on what is ready. */
export async function readCsv(fd: number, writer: SheetWriter, flush: () => Promise<void>): Promise<void> {
  const encoding = await findEncoding(fd)
  const form = { encoding, separator: await findSeparator(fd, encoding) }
  const { mark, undecided } = await findMark(fd, form)
  writer.begin('CSV')
  let row = 0
  for await (const record of records(fd, form)) {
    row += 1
    for (const [index, field] of record.entries()) writer.add(row, index + 1, csvCell(field, mark))
    await flush()
  }
  writer.end(notices(encoding, mark, undecided))
  await flush()
}

function notices(encoding: Encoding, mark: DecimalMark, undecided: string | null): string[] {
  return [
    encoding === 'windows-1252' && 'It is not in UTF-8 and was read as Windows-1252; check letters with accents.',
    mark === 'comma' && 'Numbers were read with a comma before the decimals, as in 1.234,50.',
    mark === 'point' && undecided !== null && 'Numbers were read with a point before the decimals, as in 1,234.50.',
    mark === 'both' && 'Its numbers are written in two ways, so those with a comma or a point stay text. Write them all in one way.',
    mark === 'unknown' &&
      undecided !== null &&
      `Numbers like ${undecided} can mean two things and stay text. Write the decimals of at least one number out, as in ${undecided}${undecided.includes(',') ? '.00' : ',00'}.`,
  ].filter((notice) => notice !== false)
}

const separators = [',', ';', '\t'] as const
/** Enough to tell by, and soon read. */
const sampleChars = 65_536

/** Of the first lines, the one that parts them into the most fields, as many in each. */
async function findSeparator(fd: number, encoding: Encoding): Promise<string> {
  let sample = ''
  for await (const text of textOf(fd, encoding)) {
    sample += text
    if (sample.length >= sampleChars) break
  }
  const lines = withoutQuoted(sample)
    .split(/\r\n|[\r\n]/u)
    .filter((line) => line !== '')
    .slice(0, 50)
  const scores = separators.map((separator) => ({ separator, score: scoreOf(lines, separator) }))
  return scores.toSorted((one, other) => other.score - one.score)[0]?.separator ?? ','
}

function withoutQuoted(sample: string): string {
  return sample.replaceAll(/"[^"]*"/gu, '')
}

function scoreOf(lines: readonly string[], separator: string): number {
  const counts = lines.map((line) => line.split(separator).length - 1)
  const first = counts[0] ?? 0
  return first === 0 ? 0 : counts.filter((count) => count === first).length + first / 1_000
}

async function findMark(fd: number, form: Form): Promise<{ readonly mark: DecimalMark; readonly undecided: string | null }> {
  const found = new Set<'point' | 'comma'>()
  let undecided: string | null = null
  for await (const record of records(fd, form)) {
    for (const field of record) {
      const text = field.trim()
      const mark = markIn(text)
      if (mark !== null) found.add(mark)
      else if (undecided === null && isUndecided(text)) undecided = text
    }
  }
  if (found.size === 2) return { mark: 'both', undecided }
  return { mark: [...found][0] ?? 'unknown', undecided }
}

async function* records(fd: number, { encoding, separator }: Form): AsyncIterable<readonly string[]> {
  const parser = parse({ delimiter: separator, relax_column_count: true, max_record_size: csvRecordMaxChars })
  const text = Readable.from(textOf(fd, encoding))
  text.once('error', (error) => parser.destroy(error))
  try {
    for await (const record of text.pipe(parser)) yield record as readonly string[]
  } catch (error) {
    throw error instanceof CsvError ? refused(error) : error
  } finally {
    text.destroy()
  }
}

function refused(error: CsvError): Unreadable {
  const line = typeof error['lines'] === 'number' ? ` in line ${error['lines']}` : ''
  const what =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `A row${line} is longer than any table takes`
      : `A quotation mark${line} is not closed, or stands where it must not`
  return new Unreadable(`${what}. Save the file anew as CSV UTF-8 and drop that.`, { cause: error })
}
