/** Finds, in a segment that MySQL refused, every value that does not fit its column. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { temporary } from './merge.ts'
import type { PlacedColumn } from './tables.ts'
import type { Sender } from './send.ts'

export interface Probe {
  readonly connection: MysqlConnection
  readonly sender: Sender
  /** In the order of the values. */
  readonly columns: readonly PlacedColumn[]
  /** Of temporary tables. */
  readonly tableOptions: string
}

export interface Misfit {
  readonly row: number
  /** Place of the column; null where MySQL does not say. */
  readonly column: number | null
  readonly reason: string
}

type Fields = readonly (string | null)[]

/**
 * Loads the rows once more into a table of the same types that takes everything: a warning tells of each value that was
 * changed, in which row and column it stood. JSON is tried here, for MySQL drops such a row without telling which.
 */
export async function findMisfits(probing: Probe, rows: readonly Fields[]): Promise<readonly Misfit[]> {
  const { connection, sender, columns, tableOptions } = probing
  const probe = temporary('probe')
  await connection.run(`DROP TEMPORARY TABLE IF EXISTS ${probe}`)
  await connection.run(`CREATE TEMPORARY TABLE ${probe} (${columns.map(probeColumn).join(', ')}) ${tableOptions}`)
  const warnings: Misfit[] = []
  let start = 0
  for (const part of parts(rows, sender.statementBytes / 2)) {
    const count = await sender.send({ into: probe, columns, bytes: Buffer.from(encodeRows(part)), where: 'leniently' })
    if (count > 0) warnings.push(...(await readWarnings(probing, start)))
    start += part.length
  }
  await connection.run(`DROP TEMPORARY TABLE ${probe}`)
  return [...warnings, ...brokenJson(columns, rows)]
}

/** A server keeps 65,535 warnings at most. */
const probeRows = 5_000

/** Small enough for one statement each, for a warning tells the number of a row within its statement. */
function* parts(rows: readonly Fields[], bytesMax: number): Generator<readonly Fields[]> {
  let start = 0
  let length = 0
  for (const [at, row] of rows.entries()) {
    const size = row.reduce((sum, value) => sum + (value?.length ?? 2), row.length)
    if (at > start && (at - start === probeRows || length + size > bytesMax)) {
      yield rows.slice(start, at)
      start = at
      length = 0
    }
    length += size
  }
  if (start < rows.length) yield rows.slice(start)
}

function probeColumn({ name, type, isKey }: PlacedColumn): string {
  return `${quote(name)} ${type === 'json' ? 'longtext' : type}${isKey ? ' NOT NULL' : ' NULL'}`
}

async function readWarnings({ connection, columns }: Probe, start: number): Promise<readonly Misfit[]> {
  const shown = await connection.rows('SHOW WARNINGS')
  return shown.flatMap((warning) => {
    const misfit = readWarning(warning['Message'] ?? '', columns)
    return misfit === null ? [] : [{ ...misfit, row: start + misfit.row }]
  })
}

/** `Data truncated for column 'name' at row 2`; some name the column with its table, in backticks. */
function readWarning(message: string, columns: readonly PlacedColumn[]): Misfit | null {
  const row = Number(/\brow (\d+)/i.exec(message)?.[1] ?? Number.NaN)
  if (!Number.isInteger(row)) return null
  const named = columns.findIndex(({ name }) =>
    [`'${name}' at row`, `\`${name.replaceAll('`', '``')}\` at row`].some((mark) => message.includes(mark)),
  )
  return {
    row: row - 1,
    column: named === -1 ? null : named,
    reason: message.replace(/`[^`]*`\.`tributary_probe`\./, '').replace(/ at row \d+$/, ''),
  }
}

function brokenJson(columns: readonly PlacedColumn[], rows: readonly Fields[]): readonly Misfit[] {
  const places = columns.flatMap((column, at) => (column.type === 'json' ? [at] : []))
  return places.flatMap((column) =>
    rows.flatMap((fields, row) =>
      isJson(fields[column] ?? null) ? [] : [{ row, column, reason: 'This is not JSON.' }],
    ),
  )
}

function isJson(text: string | null): boolean {
  if (text === null) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
