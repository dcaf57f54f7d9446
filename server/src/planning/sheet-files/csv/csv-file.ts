/** Reads a text file of fields that commas, semicolons or tabs part (RFC 4180). It is read twice: how numbers are written is decided by all of it. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Encoding, findEncoding, textOf } from './csv-encoding.ts'
import { CodeColumns, csvCell, type DecimalMark, isUndecided, isWhole, markIn } from './csv-value.ts'
import type { SheetCell } from '@tributary/contract/cells'
import { DateColumns, dateOf, isDateLike, type SlashDates } from './csv-dates.ts'
import { withinColumns } from '../column-limit.ts'
import { csvRecordMaxChars } from '../sheet-limits.ts'
import type { SheetWriter } from '../sheet-writer.ts'
import { Unreadable } from '../unreadable-file.ts'

interface Form {
  readonly encoding: Encoding
  readonly separator: string
  /** The characters of a first line such as `sep=;`, which Excel reads and does not show. */
  readonly skipped: number
}

export interface CsvReading {
  readonly fd: number
  /** For columns of dates that say nothing themselves. */
  readonly slashDates?: SlashDates | undefined
}

/** @param flush awaited again and again; sends on what is ready. */
export async function readCsv(
  { fd, slashDates }: CsvReading,
  writer: SheetWriter,
  flush: () => Promise<void>,
): Promise<void> {
  const encoding = await findEncoding(fd)
  const form = await findForm(fd, encoding)
  const { mark, undecided, codes, dates } = await surveyFields(fd, form)
  const { orders, question } = dates.decide(slashDates)
  writer.begin('CSV')
  let row = 0
  for await (const record of records(fd, form)) {
    row += 1
    for (const [index, field] of record.entries())
      writer.add(row, index + 1, cellOf(field, { mark, isCode: codes.has(index), order: orders.get(index) }))
    await flush()
  }
  writer.end(notices(encoding, mark, undecided), { dateQuestion: question })
  await flush()
}

interface ColumnForm {
  readonly mark: DecimalMark
  readonly isCode: boolean
  /** Of a column of dates. */
  readonly order: SlashDates | undefined
}

function cellOf(field: string, { mark, isCode, order }: ColumnForm): SheetCell {
  if (isCode && isWhole(field)) return field.trim()
  const text = field.trim()
  const date = order !== undefined && isDateLike(text) ? dateOf(text, order) : null
  return date ?? csvCell(field, mark)
}

function notices(encoding: Encoding, mark: DecimalMark, undecided: string | null): string[] {
  return [
    encoding === 'windows-1252' && 'It is not in UTF-8 and was read as Windows-1252; check letters with accents.',
    mark === 'comma' && 'Numbers were read with a comma before the decimals, as in 1.234,50.',
    mark === 'point' && undecided !== null && 'Numbers were read with a point before the decimals, as in 1,234.50.',
    mark === 'both' &&
      'Its numbers are written in two ways, so those with a comma or a point stay text. Write them all in one way.',
    mark === 'unknown' &&
      undecided !== null &&
      `Numbers like ${undecided} can mean two things and stay text. Write the decimals of at least one number out, as in ${undecided}${undecided.includes(',') ? '.00' : ',00'}.`,
  ].filter((notice) => notice !== false)
}

const separators = [',', ';', '\t'] as const
/** Enough to tell by, and soon read. */
const sampleChars = 65_536

const separatorLine = /^"?sep=([,;|\t])"?(?:\r\n|[\r\n]|$)/iu

async function findForm(fd: number, encoding: Encoding): Promise<Form> {
  let sample = ''
  for await (const text of textOf(fd, encoding)) {
    sample += text
    if (sample.length >= sampleChars) break
  }
  const [line, named] = separatorLine.exec(sample) ?? []
  if (line !== undefined && named !== undefined) return { encoding, separator: named, skipped: line.length }
  return { encoding, separator: separatorOf(sample), skipped: 0 }
}

/** Of the first lines, the one that parts them into the most fields, as many in each. */
function separatorOf(sample: string): string {
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

interface Survey {
  readonly mark: DecimalMark
  readonly undecided: string | null
  /** The columns, counted from 0, whose whole numbers are codes. */
  readonly codes: ReadonlySet<number>
  readonly dates: DateColumns
}

async function surveyFields(fd: number, form: Form): Promise<Survey> {
  const found = new Set<'point' | 'comma'>()
  let undecided: string | null = null
  const [codes, dates] = [new CodeColumns(), new DateColumns()]
  for await (const record of records(fd, form)) {
    for (const [index, field] of record.entries()) {
      const text = field.trim()
      codes.add(index, text)
      dates.add(index, text)
      if (isDateLike(text)) continue
      const mark = markIn(text)
      if (mark !== null) found.add(mark)
      else if (undecided === null && isUndecided(text)) undecided = text
    }
  }
  const mark = found.size === 2 ? 'both' : ([...found][0] ?? 'unknown')
  return { mark, undecided, codes: codes.found(), dates }
}

async function* records(fd: number, { encoding, separator, skipped }: Form): AsyncIterable<readonly string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: csvRecordMaxChars,
  })
  const text = Readable.from(withinColumns(withoutStart(textOf(fd, encoding), skipped), separator))
  text.once('error', (error) => parser.destroy(error))
  try {
    for await (const record of text.pipe(parser)) yield record as readonly string[]
  } catch (error) {
    throw error instanceof CsvError ? refused(error) : error
  } finally {
    text.destroy()
  }
}

/** The first piece holds the line that is skipped in whole. */
async function* withoutStart(pieces: AsyncIterable<string>, length: number): AsyncIterable<string> {
  let left = length
  for await (const piece of pieces) {
    yield piece.slice(left)
    left = 0
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
