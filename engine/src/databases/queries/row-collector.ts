/** Collects the rows of a query until a limit is reached. */
import type { QueryLimit, QueryLimits, QueryResult } from '../../ports/query.ts'

export interface RowCollector {
  readonly rows: QueryResult['rows']
  /** The limit that is reached; later rows are dropped. */
  readonly reached: QueryLimit | null
  add(row: readonly (string | null)[]): void
  /** Ends collecting, for a limit that is measured elsewhere. */
  stop(limit: QueryLimit): void
}

export function collectRows(limits: Pick<QueryLimits, 'rows' | 'bytes'>): RowCollector {
  const rows: (readonly (string | null)[])[] = []
  let bytes = 0
  let reached: QueryLimit | null = null
  return {
    rows,
    get reached() {
      return reached
    },
    add(row) {
      if (reached !== null) return
      if (rows.length === limits.rows) {
        reached = 'rows'
        return
      }
      bytes += row.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0)
      if (bytes > limits.bytes) reached = 'bytes'
      else rows.push(row)
    },
    stop(limit) {
      reached ??= limit
    },
  }
}
