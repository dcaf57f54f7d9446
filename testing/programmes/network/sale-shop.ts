/** A source whose rows change in one transaction, so that a reader of the target can detect a partial change. */
import type { Random } from '@tributary/sims/random'
import type { DatabaseEnd } from '../../engine/databases/database-ends.ts'
import type { SyncWorkload } from '../crashes/crash-points.ts'

const rows = 6_000

export const shopSql = `
  CREATE TABLE sale (id bigint PRIMARY KEY, name text, amount numeric(18,4), at timestamp, round int NOT NULL);
  INSERT INTO sale SELECT n, repeat('sale ' || n || ' ', 8), n * 1.0625, '2026-01-01'::timestamp + n * interval '1 second', 0 FROM generate_series(1, ${rows}) n;
  CREATE TABLE pair (one int, other int, note text, PRIMARY KEY (one, other));
  INSERT INTO pair SELECT n / 10, n % 10, E'tab\\tand\\nline ' || n FROM generate_series(1, 2000) n; ANALYZE`

/** What a reader sees of the table `sale` while a change is being copied. */
export interface VisibleRows {
  readonly rows: number
  /** Rows that belong to this change. */
  readonly changed: number
}

/**
 * Changes the source in one transaction. Returns the states that readers may see: before, after the upserts, complete.
 */
export async function changeShop(
  source: DatabaseEnd,
  workload: SyncWorkload,
  round: number,
  random: Random,
): Promise<readonly VisibleRows[]> {
  const before = await countVisibleRows(source, 'sale', round)
  const [inserts, step] = [random.between(100, 900), random.between(5, 20)]
  const deletes = workload === 'deletes' ? `DELETE FROM sale WHERE id % 19 = ${round % 19} AND round <> ${round};` : ''
  const column =
    workload === 'columns' ? `ALTER TABLE sale ADD COLUMN extra_${round} text DEFAULT 'extra ${round}';` : ''
  await source.run(`BEGIN; ${column}
    UPDATE sale SET name = name || '!', amount = -amount, round = ${round} WHERE id % ${step} = 0;
    INSERT INTO sale (id, name, amount, at, round) SELECT m + n, 'new ' || n, n / 3.0, now()::timestamp(0), ${round}
      FROM (SELECT max(id) AS m FROM sale) x, generate_series(1, ${inserts}) n;
    ${deletes} DELETE FROM pair WHERE one % 37 = ${round % 37}; INSERT INTO pair VALUES (${10_000 + round}, ${round}, NULL); COMMIT`)
  const after = await countVisibleRows(source, 'sale', round)
  return [before, { rows: before.rows + inserts, changed: after.changed }, after]
}

/** Counts the rows that a reader of the table sees now. */
export async function countVisibleRows(end: DatabaseEnd, table: string, round: number): Promise<VisibleRows> {
  const result = await end.run(
    `SELECT count(*) AS seen, coalesce(sum(CASE WHEN round = ${round} THEN 1 ELSE 0 END), 0) AS changed FROM ${table}`,
  )
  const [row] = (end.kind === 'postgres' ? (result as { rows: unknown[] }).rows : result) as {
    seen: string
    changed: string
  }[]
  return { rows: Number(row?.seen), changed: Number(row?.changed) }
}
