/** Names of shadow tables. */
import { createHash } from 'node:crypto'

/** The name ends in the fencing token, so that a writer that was declared dead can never add to its successor's table. */
export function shadowTableName(table: string, fence: number): string {
  return `${shadowTablePrefix(table)}${fence}`
}

/** The beginning of the names of all shadow tables of this table. */
export function shadowTablePrefix(table: string): string {
  return `tributary_new_${createHash('sha256').update(table).digest('hex').slice(0, 12)}_`
}
