/**
 * Selects rows as COPY text. Columns whose text needs no escaping are joined to one value on the server, because the driver and the server
 * spend more on each value than on its characters.
 */
import { encodeRow } from '../../../encoding/copy-text.ts'
import type { SqlRow } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { SqlServerPlannedColumn } from './discover.ts'

export interface RowSelect {
  /** The select list. */
  readonly list: string
  /** Number of its values in a row of the driver. */
  readonly width: number
  /** @param start index of its first value in the row of the driver */
  encode(row: SqlRow, start?: number): string
}

/** CONCAT takes 254 arguments and returns 4,000 characters; a joined value takes two arguments and up to 42 characters. */
const joinedMax = 90
const separator = '\t'

export function selectRows(columns: readonly SqlServerPlannedColumn[], alias = ''): RowSelect {
  const joinable = columns.filter((column) => column.isJoinable)
  const groups = Array.from({ length: Math.ceil(joinable.length / joinedMax) }, (_, at) =>
    joinable.slice(at * joinedMax, (at + 1) * joinedMax),
  )
  const single = columns.filter((column) => !column.isJoinable)
  const select = (column: SqlServerPlannedColumn): string => column.select(`${alias}${quote(column.name)}`)
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

/** CONCAT converts NULL to an empty text, and no joinable value is empty. */
function splitJoined(value: unknown): readonly (string | null)[] {
  return String(value)
    .split(separator)
    .map((text) => (text === '' ? null : text))
}

/** Canonical text of a value that the driver returns separately. */
function canonical({ type }: SqlServerPlannedColumn, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return type.kind === 'guid' ? String(value).toLowerCase() : String(value)
}
