/** A table of twelve columns of usual types in a source, moved to a target by a run, for comparisons of both. */
import { randomUUID } from 'node:crypto'
import type { MysqlConnection } from '@tributary/engine/databases/mysql/connection'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { sync } from '@tributary/engine/sync/run'
import { openBoth } from '../../engine/databases/both-ends.ts'
import { realClock } from '../../engine/sync/source-context.ts'

export type Product = 'postgres' | 'mysql'

export interface VerifiedPair {
  readonly from: Product
  readonly to: Product
  readonly properties: ConnectorProperties
}

/** The fence of the run that moves the rows; later ones need a higher one. */
export const firstFence = 1

export const orderColumns = [
  'id',
  'reference',
  'number',
  'net',
  'tax',
  'total',
  'issued_at',
  'updated_at',
  'due',
  'line_count',
  'paid',
  'note',
] as const

/** The sum of 64 bits of the MD5 of all columns, concatenated as text: what a program without ranges and canonical texts would do. */
export function baselineSql(product: Product, table: string): string {
  const text = `concat(${orderColumns.join(', ')})`
  return product === 'postgres'
    ? `SELECT count(*), sum(('x' || left(md5(${text}), 16))::bit(64)::bigint) FROM ${table}`
    : `SELECT COUNT(*), SUM(CAST(CONV(LEFT(MD5(${text}), 16), 16, 10) AS UNSIGNED)) FROM ${table}`
}

/** Statements that create and fill the table in PostgreSQL. */
export function postgresOrders(rows: number): readonly string[] {
  return [
    `CREATE TABLE orders (id bigint PRIMARY KEY, reference uuid NOT NULL, number varchar(20) NOT NULL, net numeric(18,4) NOT NULL,
       tax numeric(18,4) NOT NULL, total numeric(18,4) NOT NULL, issued_at timestamptz(6) NOT NULL, updated_at timestamptz(6) NOT NULL, due date,
       line_count int NOT NULL, paid boolean NOT NULL, note text NOT NULL)`,
    `INSERT INTO orders SELECT n, md5(n::text)::uuid, 'SO-' || lpad(n::text, 9, '0'), n * 1.2345, n * 0.3086, n * 1.5431,
       '2020-01-01'::timestamptz + n * interval '1 minute', '2024-01-01'::timestamptz + n * interval '1.000001 second',
       CASE WHEN n % 10 > 0 THEN '2020-01-01'::date + (n % 2000)::int END, n % 50, n % 3 = 0,
       rpad('Delivery ' || n || ' for the usual customer, to be paid within the usual time ', 80, 'x')
     FROM generate_series(1, ${rows}::bigint) n`,
    'VACUUM ANALYZE orders',
  ]
}

export async function fillMariadb(connection: MysqlConnection, rows: number): Promise<void> {
  await connection.run(`CREATE TABLE orders (id BIGINT PRIMARY KEY, reference CHAR(36) CHARACTER SET ascii NOT NULL, number VARCHAR(20) NOT NULL,
    net DECIMAL(18,4) NOT NULL, tax DECIMAL(18,4) NOT NULL, total DECIMAL(18,4) NOT NULL, issued_at TIMESTAMP(6) NOT NULL DEFAULT 0,
    updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), due DATE, line_count INT NOT NULL,
    paid TINYINT(1) NOT NULL, note TEXT NOT NULL)`)
  await connection.run(
    `INSERT INTO orders SELECT seq, MD5(seq), CONCAT('SO-', LPAD(seq, 9, '0')), seq * 1.2345, seq * 0.3086, seq * 1.5431,
       '2020-01-01' + INTERVAL seq MINUTE, '2024-01-01' + INTERVAL seq * 1000001 MICROSECOND,
       IF(seq % 10 > 0, '2020-01-01' + INTERVAL seq % 2000 DAY, NULL), seq % 50, seq % 3 = 0,
       RPAD(CONCAT('Delivery ', seq, ' for the usual customer, to be paid within the usual time '), 80, 'x')
     FROM seq_1_to_${rows}`,
  )
  await connection.rows('ANALYZE TABLE orders')
}

export function connectorOf({ from, to }: Pick<VerifiedPair, 'from' | 'to'>): string {
  return `${from} to ${to}`
}

export async function move(pair: VerifiedPair): Promise<void> {
  const { signal } = new AbortController()
  await using ends = await openBoth(pair, signal)
  const outcome = await sync({
    ...ends,
    writer: { connectorId: connectorOf(pair), runId: randomUUID(), fence: firstFence },
    syncMode: 'full',
    report: () => {},
    log: () => {},
    clock: realClock,
    signal,
  })
  if (outcome.status !== 'completed') throw outcome.fault
}
