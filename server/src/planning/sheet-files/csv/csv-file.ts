/**
 * Reads CSV files separated by commas, semicolons or tabs (RFC 4180). Reads each file twice: number formats depend on
 * the whole file.
 */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type CsvEncoding, detectEncoding, decodeText } from './csv-encoding.ts'
import { CodeColumns, parseCsvCell, type DecimalMark, isUndecided, isWhole, detectDecimalMark } from './csv-value.ts'
import type { SheetCell } from '@tributary/contract/cells'
import { DateColumns, parseDate, isDateLike, type SlashDates } from './csv-dates.ts'
import { withinColumns } from '../column-limit.ts'
import { csvRecordMaxChars } from '../sheet-limits.ts'
import type { SheetWriter } from '../sheet-writer.ts'
import { UnreadableFile } from '../unreadable-file.ts'

interface CsvFormat {
  readonly encoding: CsvEncoding
  readonly separator: string
  /** Length of a first line such as `sep=;`, which Excel interprets and hides. */
  readonly skipped: number
}

export interface CsvSource {
  readonly fd: number
  /** For date columns whose order is ambiguous. */
  readonly slashDates?: SlashDates | undefined
}

/** @param flush awaited repeatedly (backpressure); sends the chunks that are ready */
export async function readCsv(
  { fd, slashDates }: CsvSource,
  writer: SheetWriter,
  flush: () => Promise<void>,
): Promise<void> {
  const encoding = await detectEncoding(fd)
  const format = await detectFormat(fd, encoding)
  const { mark, undecided, codes, dates } = await surveyFields(fd, format)
  const { orders, question } = dates.decide(slashDates)
  writer.begin('CSV')
  let row = 0
  for await (const record of parseRecords(fd, format)) {
    row += 1
    for (const [index, field] of record.entries())
      writer.add(row, index + 1, cellOf(field, { mark, isCode: codes.has(index), order: orders.get(index) }))
    await flush()
  }
  writer.end(notices(encoding, mark, undecided), { dateQuestion: question })
  await flush()
}

interface CsvColumnFormat {
  readonly mark: DecimalMark
  readonly isCode: boolean
  /** For date columns. */
  readonly order: SlashDates | undefined
}

function cellOf(field: string, { mark, isCode, order }: CsvColumnFormat): SheetCell {
  if (isCode && isWhole(field)) return field.trim()
  const text = field.trim()
  const date = order !== undefined && isDateLike(text) ? parseDate(text, order) : null
  return date ?? parseCsvCell(field, mark)
}

function notices(encoding: CsvEncoding, mark: DecimalMark, undecided: string | null): string[] {
  return [
    encoding === 'windows-1252' && 'It is not in UTF-8 and was read as Windows-1252; check letters with accents.',
    mark === 'comma' && 'Numbers were read with a comma before the decimals, as in 1.234,50.',
    mark === 'point' && undecided !== null && 'Numbers were read with a point before the decimals, as in 1,234.50.',
    mark === 'both' &&
      'Its numbers use two formats, so those with a comma or a point stay text. Use one format for all of them.',
    mark === 'unknown' &&
      undecided !== null &&
      `Numbers like ${undecided} can mean two things and stay text. Write the decimals of at least one number out, as in ${undecided}${undecided.includes(',') ? '.00' : ',00'}.`,
  ].filter((notice) => notice !== false)
}

const separators = [',', ';', '\t'] as const
/** Enough to detect the separator, and fast to read. */
const sampleChars = 65_536

const separatorLine = /^"?sep=([,;|\t])"?(?:\r\n|[\r\n]|$)/iu

async function detectFormat(fd: number, encoding: CsvEncoding): Promise<CsvFormat> {
  let sample = ''
  for await (const text of decodeText(fd, encoding)) {
    sample += text
    if (sample.length >= sampleChars) break
  }
  const [line, named] = separatorLine.exec(sample) ?? []
  if (line !== undefined && named !== undefined) return { encoding, separator: named, skipped: line.length }
  return { encoding, separator: detectSeparator(sample), skipped: 0 }
}

/** The separator that splits the first lines into the most fields, with the same count in each line. */
function detectSeparator(sample: string): string {
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

interface CsvSurvey {
  readonly mark: DecimalMark
  readonly undecided: string | null
  /** Columns, from 0, whose whole numbers are codes. */
  readonly codes: ReadonlySet<number>
  readonly dates: DateColumns
}

async function surveyFields(fd: number, format: CsvFormat): Promise<CsvSurvey> {
  const found = new Set<'point' | 'comma'>()
  let undecided: string | null = null
  const [codes, dates] = [new CodeColumns(), new DateColumns()]
  for await (const record of parseRecords(fd, format)) {
    for (const [index, field] of record.entries()) {
      const text = field.trim()
      codes.add(index, text)
      dates.add(index, text)
      if (isDateLike(text)) continue
      const mark = detectDecimalMark(text)
      if (mark !== null) found.add(mark)
      else if (undecided === null && isUndecided(text)) undecided = text
    }
  }
  const mark = found.size === 2 ? 'both' : ([...found][0] ?? 'unknown')
  return { mark, undecided, codes: codes.found(), dates }
}

async function* parseRecords(
  fd: number,
  { encoding, separator, skipped }: CsvFormat,
): AsyncIterable<readonly string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: csvRecordMaxChars,
  })
  const text = Readable.from(withinColumns(withoutStart(decodeText(fd, encoding), skipped), separator))
  text.once('error', (error) => parser.destroy(error))
  try {
    for await (const record of text.pipe(parser)) yield record as readonly string[]
  } catch (error) {
    throw error instanceof CsvError ? toUnreadableFile(error) : error
  } finally {
    text.destroy()
  }
}

/** The skipped line is always within the first piece. */
async function* withoutStart(pieces: AsyncIterable<string>, length: number): AsyncIterable<string> {
  let left = length
  for await (const piece of pieces) {
    yield piece.slice(left)
    left = 0
  }
}

function toUnreadableFile(error: CsvError): UnreadableFile {
  const line = typeof error['lines'] === 'number' ? ` in line ${error['lines']}` : ''
  const what =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `A row${line} is too long`
      : `A quotation mark${line} is not closed or is misplaced`
  return new UnreadableFile(`${what}. Save the file again as CSV UTF-8 and upload that file.`, { cause: error })
}
