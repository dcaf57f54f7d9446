/** Counts the rows that a piece of work reads, table by table, by PostgreSQL's own statistics. */
import { sql } from 'kysely'
import { openStore, type Store } from '../../../server/src/kernel/store/store.ts'
import type { TestApp } from './test-app.ts'

/**
 * Runs `work` with a store on one connection, whose statistics are complete when it ends. Returns the rows of the tables that it read:
 * those of sequential scans, and those that indexes led to. Nothing else may work on the database meanwhile.
 */
export async function countRowsRead(
  app: TestApp,
  work: (store: Store) => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> {
  await using store = openSingleStore(app)
  const before = await readCounters(store)
  await work(store)
  const after = await readCounters(store)
  return new Map([...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)]))
}

function openSingleStore(app: TestApp): Store & AsyncDisposable {
  const store = openStore({ connection: { ...app.connection, max: 1 }, onError: () => undefined })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

async function readCounters(store: Store): Promise<ReadonlyMap<string, number>> {
  // The statistics of a transaction are written when it ends.
  await store.across((db) => sql`SELECT pg_stat_force_next_flush()`.execute(db))
  const { rows } = await store.across((db) =>
    sql<{
      table: string
      rows: number
    }>`SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS rows
      FROM pg_stat_user_tables WHERE schemaname = 'public'`.execute(db),
  )
  return new Map(rows.map(({ table, rows: read }) => [table, read]))
}
