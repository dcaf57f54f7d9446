/** Finds every value that does not fit its column in a segment that MySQL refused. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import type { TextRow } from '../../sql-target/sessions.ts'
import type { TargetColumn } from '../../sql-target/table-layout.ts'
import { quote } from '../quoting.ts'
import { temporary } from './merge.ts'
import type { RowSender } from './row-sender.ts'
import type { MysqlSession } from './session.ts'

export interface ViolationProbe {
  readonly session: MysqlSession
  readonly sender: RowSender
  /** In the order of the values. */
  readonly columns: readonly TargetColumn[]
}

export interface TypeViolation {
  readonly row: number
  /** Index of the column; null where MySQL does not name it. */
  readonly column: number | null
  readonly reason: string
}

/**
 * Loads the rows again into a table of the same types that takes everything: a warning names the row and column of each value that was
 * changed. JSON is parsed here, because MySQL drops such a row without naming it.
 */
export async function findTypeViolations(
  { session, sender, columns }: ViolationProbe,
  rows: readonly TextRow[],
): Promise<readonly TypeViolation[]> {
  const { run } = session
  const probe = temporary('probe')
  await run(`DROP TEMPORARY TABLE IF EXISTS ${probe}`)
  await run(`CREATE TEMPORARY TABLE ${probe} (${columns.map(probeColumn).join(', ')}) ${await session.tableOptions()}`)
  const warnings: TypeViolation[] = []
  let start = 0
  for (const part of parts(rows, sender.statementBytes / 2)) {
    const count = await sender.send({ into: probe, columns, bytes: Buffer.from(encodeRows(part)), mode: 'lenient' })
    if (count > 0) warnings.push(...(await readWarnings(session, columns, start)))
    start += part.length
  }
  await run(`DROP TEMPORARY TABLE ${probe}`)
  return [...warnings, ...findBrokenJson(columns, rows)]
}

/** A server keeps 65,535 warnings at most. */
const probeRows = 5_000

/** Small enough for one statement each: a warning has the number of the row within its statement. */
function* parts(rows: readonly TextRow[], bytesMax: number): Generator<readonly TextRow[]> {
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

function probeColumn({ name, type, isKey }: TargetColumn): string {
  return `${quote(name)} ${type === 'json' ? 'longtext' : type}${isKey ? ' NOT NULL' : ' NULL'}`
}

async function readWarnings(
  { connection }: MysqlSession,
  columns: readonly TargetColumn[],
  start: number,
): Promise<readonly TypeViolation[]> {
  const shown = await connection.rows('SHOW WARNINGS')
  return shown.flatMap((warning) => {
    const violation = readWarning(warning['Message'] ?? '', columns)
    return violation === null ? [] : [{ ...violation, row: start + violation.row }]
  })
}

/** Parses `Data truncated for column 'name' at row 2`. Some messages name the column with its table, in backticks. */
function readWarning(message: string, columns: readonly TargetColumn[]): TypeViolation | null {
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

function findBrokenJson(columns: readonly TargetColumn[], rows: readonly TextRow[]): readonly TypeViolation[] {
  const indexes = columns.flatMap((column, at) => (column.type === 'json' ? [at] : []))
  return indexes.flatMap((column) =>
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
