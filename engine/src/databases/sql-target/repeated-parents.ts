/**
 * Notices a parent that comes again before what was staged has been applied. Staged children do not say of which version of their parent
 * they are, so those of the former version would remain.
 */
import { eachRow, joinRows } from '../../encoding/copy-text.ts'
import type { RowBatch, RowEncoding } from '../../ports/model.ts'
import type { Stream } from '../../ports/source.ts'

/** So that the keys of a long list without commits stay small in memory. */
const keysMax = 200_000

export interface RepeatedParents {
  /** Whether what is staged must be applied before the batch is written. Remembers its keys. */
  add(batch: RowBatch): boolean
  /** Everything staged was applied. */
  clear(): void
}

/** @returns null if no parent comes twice, or none has children with a key */
export function findRepeatedParents(
  { table, children, hasDistinctKeys }: Stream,
  encoding: RowEncoding,
): RepeatedParents | null {
  if (hasDistinctKeys || children === undefined || children.length === 0 || encoding === 'binary') return null
  const places = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  if (places.length === 0) return null
  const joiner = joinRows()
  const seen = new Set<string>()
  return {
    add(batch) {
      if (batch.table !== table.name || batch.deletes === true) return false
      const keys = eachRow(joiner.push(batch.bytes)).map((row) => keyIn(row, places))
      const isRepeated = seen.size + keys.length > keysMax || keys.some((key) => seen.has(key))
      if (isRepeated) seen.clear()
      for (const key of keys) seen.add(key)
      return isRepeated
    },
    clear: () => seen.clear(),
  }
}

function keyIn(row: string, places: readonly number[]): string {
  const fields = row.slice(0, -1).split('\t')
  return places.map((place) => fields[place]).join('\t')
}
