/** A MariaDB for benchmarks with production settings, on a free loopback port. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectMysql, type MysqlConnection } from '@tributary/engine/databases/mysql/connection'
import { connectionContext } from '../../engine/sync/source-context.ts'
import { startMariadb } from '../../databases/mariadb.ts'

export interface BenchMariadb extends AsyncDisposable {
  readonly reach: {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly user: string
    readonly password: string
    readonly tls: 'off'
  }
  readonly connection: MysqlConnection
  /** The shell command that connects to the server. */
  readonly client: string
}

export async function startBenchMariadb(): Promise<BenchMariadb> {
  const home = mkdtempSync(join(tmpdir(), 'tributary-bench-mariadb-'))
  const server = await startMariadb(home, [
    '--innodb-buffer-pool-size=1G',
    '--innodb-log-file-size=1G',
    '--max-allowed-packet=64M',
  ])
  const reach = { ...server.reach, tls: 'off' } as const
  const connection = await connectMysql(
    { ...reach, database: 'mysql' },
    connectionContext(),
    `SET SESSION time_zone = '+00:00'`,
  )
  await connection.run('CREATE DATABASE bench CHARACTER SET utf8mb4')
  await connection.run('USE bench')
  const { port, user, password } = reach
  return {
    reach: { ...reach, database: 'bench' },
    connection,
    client: `mariadb --no-defaults -h127.0.0.1 -P${port} -u${user} -p${password} bench`,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export const invoiceColumns = `id BIGINT PRIMARY KEY, reference CHAR(36) CHARACTER SET ascii NOT NULL, number VARCHAR(20) NOT NULL, net DECIMAL(18,4) NOT NULL, tax DECIMAL(18,4) NOT NULL,
  total DECIMAL(18,4) NOT NULL, issued_at TIMESTAMP(6) NOT NULL DEFAULT 0, updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  paid TINYINT(1) NOT NULL, note LONGTEXT NOT NULL, document JSON NOT NULL`

/** Inserts rows of 430 bytes, like the PostgreSQL benchmarks. */
export async function fillInvoices({ connection }: BenchMariadb, rows: number): Promise<void> {
  await connection.run(`CREATE TABLE invoice (${invoiceColumns})`)
  await connection.run(
    `INSERT INTO invoice SELECT seq, UUID(), CONCAT('INV-', LPAD(seq, 9, '0')), seq * 1.2345, seq * 0.3086, seq * 1.5431,
       '2020-01-01' + INTERVAL seq MINUTE, '2024-01-01' + INTERVAL seq * 1000001 MICROSECOND, seq % 3 = 0,
       RPAD(CONCAT('Delivery ', seq, ' for the usual customer, to be paid within the usual time '), 80, 'x'),
       CONCAT('{"contact": "', MD5(seq), '", "terms": [', seq % 30, ', "net"], "tracking": "', MD5(seq + 1), '", "warehouse": "', MD5(seq + 2), '", "weight": ', seq % 977 / 10, '}')
     FROM seq_1_to_${rows}`,
  )
  await connection.run('COMMIT')
  await connection.rows('ANALYZE TABLE invoice')
}
