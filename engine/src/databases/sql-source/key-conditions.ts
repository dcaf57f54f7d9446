/** Conditions that select rows by their keys. */
import { decodeSome } from '../../encoding/copy-text.ts'

/** With so many conditions a query still uses the index and does not read the table. */
const keysAtOnce = 200

/** One condition for each group of keys. @param equals compares a key column with a value, which is canonical text */
export function* keyConditions<Column>(
  columns: readonly Column[],
  keys: Uint8Array,
  equals: (column: Column, value: string) => string,
): Generator<string> {
  for (const rows of decodeSome(keys, keysAtOnce)) {
    const conditions = rows.map((row) => columns.map((column, at) => equals(column, row[at] ?? '')).join(' AND '))
    yield conditions.map((condition) => `(${condition})`).join(' OR ')
  }
}
