/** Sends encoded rows to a table: by LOAD DATA LOCAL where the server allows it, otherwise by INSERT of many rows. */
import { decodeRows } from '../../../encoding/copy-text.ts'
import type { LogicalType } from '../../../ports/model.ts'
import type { MysqlConnection } from '../connection.ts'
import { columnList, quote } from '../quoting.ts'
import type { TargetColumn } from '../../sql-target/table-layout.ts'

export interface SentRows {
  /** The table, quoted. */
  readonly into: string
  /** In the order of the values. */
  readonly columns: readonly TargetColumn[]
  /** Whole rows of COPY text, as `asLoadData` leaves them. */
  readonly bytes: Buffer
  /**
   * `strict`: the last row of a key wins, and the first value that does not fit is an error. `lenient`: values are made to fit, with a
   * warning for each.
   */
  readonly mode: 'strict' | 'lenient'
}

export interface RowSender {
  /** Size limit of a statement. */
  readonly statementBytes: number
  /** Returns the number of warnings. */
  send(sent: SentRows): Promise<number>
}

export async function chooseSender(connection: MysqlConnection): Promise<RowSender> {
  const [row] = await connection.rows('SELECT @@GLOBAL.local_infile AS allowed, @@max_allowed_packet AS largest')
  return row?.['allowed'] === '1' ? loadSender(connection) : insertSender(connection, Number(row?.['largest']) / 4)
}

/**
 * LOCAL alone implies IGNORE: rows are cut and dropped silently. REPLACE restores strict mode, so that a value that does not fit is an
 * error.
 */
function loadSender(connection: MysqlConnection): RowSender {
  // MariaDB parses bytes faster than characters, and still checks each text against its column. MySQL takes no JSON from bytes.
  const characterSet = connection.isMariadb ? 'binary' : 'utf8mb4'
  return {
    statementBytes: Number.POSITIVE_INFINITY,
    async send({ into, columns, bytes, mode }) {
      const names = columns.map((column, at) => (loadExpression(column, '') === null ? quote(column.name) : `@v${at}`))
      const set = columns.flatMap((column, at) => {
        const expression = loadExpression(column, `@v${at}`)
        return expression === null ? [] : [`${quote(column.name)} = ${expression}`]
      })
      const sql = `LOAD DATA LOCAL INFILE 'tributary' ${mode === 'strict' ? 'REPLACE' : 'IGNORE'} INTO TABLE ${into} CHARACTER SET ${characterSet} (${names.join(', ')})`
      const result = await connection.send(set.length === 0 ? sql : `${sql} SET ${set.join(', ')}`, bytes)
      return result.warningStatus
    },
  }
}

/** Expression that converts canonical text to the value of the column; null where MySQL reads the text itself. */
function loadExpression({ values, type }: TargetColumn, value: string): string | null {
  if (isText(type)) return null
  switch (values.kind) {
    case 'boolean':
      return `CASE ${value} WHEN 't' THEN 1 WHEN 'f' THEN 0 ELSE ${value} END`
    case 'instant':
      return `REPLACE(${value}, '+00', '')`
    case 'bytes':
      return `UNHEX(SUBSTRING(${value}, 3))`
    default:
      return null
  }
}

/** A text column stores the canonical text of any value. */
export function isText(type: string): boolean {
  return /^(?:longtext|varchar)/.test(type)
}

const [backslash, letterF, letterV, formFeed, verticalTab] = [92, 102, 118, 12, 11]

/** COPY text and LOAD DATA differ in two escapes, which MySQL would read as the letters f and v. */
export function asLoadData(bytes: Buffer): Buffer {
  if (bytes.indexOf('\\f') === -1 && bytes.indexOf('\\v') === -1) return bytes
  const out = Buffer.allocUnsafe(bytes.length)
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    const next = bytes[at + 1]
    if (bytes[at] !== backslash || next === undefined) {
      out[to++] = bytes[at] ?? 0
    } else {
      if (next !== letterF && next !== letterV) out[to++] = backslash
      out[to++] = next === letterF ? formFeed : next === letterV ? verticalTab : next
      at++
    }
  }
  return out.subarray(0, to)
}

export function insertSender(connection: MysqlConnection, statementBytes: number): RowSender {
  return {
    statementBytes,
    async send({ into, columns, bytes, mode }) {
      const start = `${mode === 'strict' ? 'REPLACE' : 'INSERT IGNORE'} INTO ${into} (${columnList(columns.map((column) => column.name))}) VALUES `
      let warnings = 0
      for (const tuples of tuplesOf(decodeRows(bytes), columns, { connection, statementBytes })) {
        warnings += (await connection.run(start + tuples)).warningStatus
      }
      return warnings
    },
  }
}

interface StatementLimits {
  readonly connection: MysqlConnection
  readonly statementBytes: number
}

function* tuplesOf(
  rows: readonly (readonly (string | null)[])[],
  columns: readonly TargetColumn[],
  { connection, statementBytes }: StatementLimits,
): Generator<string> {
  let tuples: string[] = []
  let length = 0
  for (const row of rows) {
    const tuple = `(${columns.map((column, at) => literal(row[at] ?? null, column, connection)).join(',')})`
    if (length + tuple.length > statementBytes && tuples.length > 0) {
      yield tuples.join(',')
      tuples = []
      length = 0
    }
    tuples.push(tuple)
    length += tuple.length
  }
  if (tuples.length > 0) yield tuples.join(',')
}

function literal(value: string | null, { values, type }: TargetColumn, { driver }: MysqlConnection): string {
  if (value === null) return 'NULL'
  if (isText(type)) return driver.escape(value)
  return literals[values.kind]?.(value) ?? driver.escape(value)
}

const literals: { readonly [kind in LogicalType['kind']]?: (value: string) => string | undefined } = {
  boolean: (value) => ({ t: '1', f: '0' })[value],
  instant: (value) => (value.endsWith('+00') ? `'${value.slice(0, -3).replaceAll(`'`, `''`)}'` : undefined),
  bytes: (value) => (/^\\x(?:[0-9a-f]{2})*$/.test(value) ? `X'${value.slice(2)}'` : undefined),
}
