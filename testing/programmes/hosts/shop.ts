/** A customer's shop that keeps trading: tables with a key, one without a key, and one to which rows are only added. */
import type { Random } from '@tributary/sims/random'
import type { PostgresHost } from './postgres-host.ts'

/** @param schema where the tables of the target are */
export interface ComparedTable {
  readonly table: string
  readonly sourceRows: number
  readonly lost: number
  readonly doubled: number
}

const setUp = `
  CREATE TABLE sale (id bigint PRIMARY KEY, name text, amount numeric(18,4), at timestamptz, round int NOT NULL);
  INSERT INTO sale SELECT n, repeat('sale ' || n || ' ', 4), n * 1.0625, now(), 0 FROM generate_series(1, 4000) n;
  CREATE TABLE event (id bigint PRIMARY KEY, note text);
  INSERT INTO event SELECT n, 'event ' || n FROM generate_series(1, 500) n;
  CREATE TABLE note (text text, amount int);
  INSERT INTO note SELECT 'note ' || n, n FROM generate_series(1, 300) n`
const tables = ['sale', 'event', 'note']

export class Shop {
  readonly database: string
  readonly #source: PostgresHost
  #round = 0

  private constructor(source: PostgresHost, database: string) {
    this.#source = source
    this.database = database
  }

  static async open(source: PostgresHost, database: string): Promise<Shop> {
    await source.query('postgres', `CREATE DATABASE ${database}`)
    await source.query(database, setUp)
    return new Shop(source, database)
  }

  /** Adds, changes and deletes rows in one transaction. */
  async trade(random: Random): Promise<void> {
    this.#round += 1
    const [round, step, added] = [this.#round, random.between(17, 60), random.between(20, 120)]
    await this.#source.query(
      this.database,
      `BEGIN;
      UPDATE sale SET amount = -amount, round = ${round}, at = clock_timestamp() WHERE id % ${step} = 0;
      DELETE FROM sale WHERE id % 211 = ${round % 211};
      INSERT INTO sale SELECT m + n, 'new ' || n, n / 3.0, clock_timestamp(), ${round} FROM (SELECT max(id) AS m FROM sale) x, generate_series(1, ${added}) n;
      INSERT INTO event SELECT m + n, 'round ${round}' FROM (SELECT max(id) AS m FROM event) x, generate_series(1, ${random.between(1, 9)}) n;
      INSERT INTO note VALUES ('note of ${round}', ${round}), ('note of ${round}', ${round});
      DELETE FROM note WHERE amount = ${round % 300}; COMMIT`,
    )
  }

  /** The number of events that have been committed. */
  async countEvents(): Promise<number> {
    const [row] = await this.#source.query<{ events: number }>(
      this.database,
      'SELECT max(id)::int AS events FROM event',
    )
    return row?.events ?? 0
  }

  /** Compares all rows, in every column. */
  async compare(warehouse: PostgresHost, target: string, schema: string): Promise<readonly ComparedTable[]> {
    return Promise.all(
      tables.map(async (table) => {
        const columns = await this.#listColumns(table)
        const rowsOf = async (host: PostgresHost, database: string, name: string) =>
          (await host.query<{ row: string }>(database, `SELECT ROW(${columns})::text AS row FROM ${name}`)).map(
            (one) => one.row,
          )
        const wanted = countEach(await rowsOf(this.#source, this.database, table))
        const found = countEach(await rowsOf(warehouse, target, `${schema}.${table}`))
        return {
          table,
          sourceRows: total(wanted),
          lost: total(subtract(wanted, found)),
          doubled: total(subtract(found, wanted)),
        }
      }),
    )
  }

  async #listColumns(table: string): Promise<string> {
    const rows = await this.#source.query<{ column_name: string }>(
      this.database,
      'SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
      [table],
    )
    return rows.map(({ column_name: name }) => name).join(', ')
  }
}

function countEach(rows: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1)
  return counts
}

function subtract(
  counts: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...counts].map(([row, count]) => [row, Math.max(0, count - (others.get(row) ?? 0))]))
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
