/** A MySQL connection as a session of a target. */
import type { ConnectionContext } from '../../../ports/source.ts'
import type { SqlDialect } from '../../sql-target/dialect.ts'
import { closing, type SqlValue, type TargetSession, type TextRow } from '../../sql-target/sessions.ts'
import type { ExistingColumn } from '../../sql-target/table-layout.ts'
import { createMutex, type Mutex } from '../../sql-target/mutex.ts'
import { connectMysql, type MysqlConnection } from '../connection.ts'
import type { MysqlReach } from '../settings.ts'
import { exactCollation } from './collation.ts'
import { chooseSender, type RowSender } from './row-sender.ts'

export type MysqlDialect = SqlDialect<MysqlSession, MysqlColumn>

export interface MysqlColumn extends ExistingColumn {
  /** Its comment. */
  readonly remark: string
}

export interface MysqlSession extends TargetSession {
  readonly connection: MysqlConnection
  /** A bulk load sends its last segment while the source fills the next, so statements take turns. */
  readonly mutex: Mutex
  /** Bytes of bulk loads in the open transaction. */
  uncommittedBytes: number
  /** Options of tables whose text is compared byte by byte. */
  tableOptions(): Promise<string>
  sender(): Promise<RowSender>
}

/**
 * Values that do not fit are errors. Checks of unique and foreign keys are off because rows are loaded into tables that no reader sees;
 * primary keys are checked in any case.
 */
const sessionSettings = `SET SESSION time_zone = '+00:00', autocommit = 0, unique_checks = 0, foreign_key_checks = 0, lock_wait_timeout = 5, innodb_lock_wait_timeout = 60,
  net_read_timeout = 600, net_write_timeout = 600, wait_timeout = 28800, max_error_count = 65535, lc_messages = 'en_US',
  sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'`

export async function openSession(reach: MysqlReach, around: ConnectionContext): Promise<MysqlSession> {
  return mysqlSession(await connectMysql(reach, around, sessionSettings, 'writing'))
}

export function mysqlSession(connection: MysqlConnection): MysqlSession {
  let collation: string | undefined
  let sender: RowSender | undefined
  return {
    connection,
    mutex: createMutex(),
    uncommittedBytes: 0,
    tableOptions: async () => tableOptions((collation ??= await exactCollation(connection))),
    sender: async () => (sender ??= await chooseSender(connection)),
    rows: async (sql, values): Promise<readonly TextRow[]> =>
      (await connection.rows(sql, parameters(values))).map((row) => Object.values(row)),
    run: async (sql, values) => (await connection.run(sql, parameters(values))).affectedRows,
    ...closing(connection),
  }
}

/** Text is compared byte by byte: two keys that differ in capitals or blanks are two rows. */
export function tableOptions(collation: string): string {
  return `ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`
}

/** Points in time as MySQL reads them, in UTC. */
function parameters(values: readonly SqlValue[] = []): readonly unknown[] {
  return values.map((value) => (value instanceof Date ? value.toISOString().slice(0, 23).replace('T', ' ') : value))
}
