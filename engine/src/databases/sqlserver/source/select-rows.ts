/**
 * Rows as COPY text. Columns whose text needs no escaping are joined to one value on the server: per row, the driver and the server
 * spend more on each value than on its characters.
 */
import { encodeRow } from '../../../encoding/copy-text.ts'
import type { SqlRow } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { PlannedColumn } from './discover.ts'

export interface RowSelect {
  /** What follows SELECT. */
  readonly list: string
  /** How many values of the driver's row belong to it. */
  readonly width: number
  /** @param start where its values begin in the driver's row */
  encode(row: SqlRow, start?: number): string
}

/** CONCAT takes 254 arguments and returns 4,000 characters; a joined value takes two arguments and up to 42 characters. */
const joinedMax = 90
const separator = '\t'

export function selectRows(columns: readonly PlannedColumn[], alias = ''): RowSelect {
  const joinable = columns.filter((column) => column.isJoinable)
  const groups = Array.from({ length: Math.ceil(joinable.length / joinedMax) }, (_, at) =>
    joinable.slice(at * joinedMax, (at + 1) * joinedMax),
  )
  const single = columns.filter((column) => !column.isJoinable)
  const select = (column: PlannedColumn): string => column.select(`${alias}${quote(column.name)}`)
  const joined = groups.map((group) => `CONCAT(N'', ${group.map(select).join(`, N'${separator}', `)})`)
  const order = [...joinable, ...single]
  const places = columns.map((column) => order.indexOf(column))
  return {
    list: [...joined, ...single.map(select)].join(', '),
    width: groups.length + single.length,
    encode(row, start = 0) {
      const values = [
        ...groups.flatMap((_, at) => splitJoined(row[start + at])),
        ...single.map((column, at) => canonical(column, row[start + groups.length + at])),
      ]
      return encodeRow(places.map((place) => values[place] ?? null))
    },
  }
}

/** CONCAT makes an empty text of NULL, and no joinable value is empty. */
function splitJoined(value: unknown): readonly (string | null)[] {
  return String(value)
    .split(separator)
    .map((text) => (text === '' ? null : text))
}

/** The canonical text of a value that the driver returns by itself. */
function canonical({ type }: PlannedColumn, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return type.kind === 'guid' ? String(value).toLowerCase() : String(value)
}
