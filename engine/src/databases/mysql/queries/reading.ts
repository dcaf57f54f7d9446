/** Queries on a MySQL or MariaDB target under a second login, and the proof that this login cannot write. */
import type { ConnectionContext } from '../../../ports/source.ts'
import type { QueryLimits, QueryResult } from '../../../ports/query.ts'
import type { ReadableTable, TargetReader, TargetReading } from '../../../ports/target-reader.ts'
import { groupReadableColumns, readableColumnsMax } from '../../queries/readable-tables.ts'
import { connectMysql, type MysqlConnection } from '../connection.ts'
import type { MysqlTargetSettings } from '../dialect/settings.ts'
import { errorNumber } from '../faults.ts'
import { quote } from '../quoting.ts'
import type { MysqlReach } from '../settings.ts'
import { findWriteGrants } from './write-grants.ts'
import { runMysqlQuery } from './run-query.ts'

export const mysqlReading: TargetReading<MysqlTargetSettings> = {
  dialect: 'mysql',
  addressOf: ({ host, port, database, tls }) => `mysql ${host}:${port}/${database} ${tls}`,
  instructions: ({ database }) =>
    [
      `CREATE USER 'tributary_reader'@'%' IDENTIFIED BY '…';`,
      `GRANT SELECT ON ${quote(database)}.* TO 'tributary_reader'@'%';`,
    ].join('\n'),
  open: async (settings, login, around) => {
    const reach = { ...settings, ...login }
    return new MysqlReader(await connectMysql(reach, around, session), reach, around)
  },
}

const session = `SET SESSION time_zone = '+00:00'`

class MysqlReader implements TargetReader {
  readonly #connection: MysqlConnection
  readonly #reach: MysqlReach
  readonly #around: ConnectionContext

  constructor(connection: MysqlConnection, reach: MysqlReach, around: ConnectionContext) {
    this.#connection = connection
    this.#reach = reach
    this.#around = around
  }

  async findWriteRights(): Promise<readonly string[]> {
    const grants = await this.#listGrants('SHOW GRANTS')
    // MariaDB grants to everyone through a role of this name; others do not know it.
    const everyone = await this.#listGrants('SHOW GRANTS FOR PUBLIC').catch(() => [])
    return findWriteGrants([...grants, ...everyone])
  }

  async #listGrants(sql: string): Promise<readonly string[]> {
    return (await this.#connection.rows(sql)).flatMap((row) => Object.values(row)).map((grant) => grant ?? '')
  }

  async attemptToWrite(): Promise<readonly string[]> {
    const connection = this.#connection
    const [found] = await connection.rows(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() AND ordinal_position = 1 LIMIT 1`,
    )
    const table = quote(found?.['t'] ?? '')
    const column = quote(found?.['c'] ?? '')
    const attempts = [
      `CREATE TABLE ${createdTable} (x INT)`,
      ...(found === undefined
        ? []
        : [
            `INSERT INTO ${table} SELECT * FROM ${table} WHERE FALSE`,
            `UPDATE ${table} SET ${column} = ${column} WHERE FALSE`,
          ]),
    ]
    const findings: string[] = []
    for (const statement of attempts) {
      const finding = await attempt(connection, statement)
      if (finding !== null) findings.push(finding)
    }
    return findings
  }

  async listTables(): Promise<readonly ReadableTable[]> {
    const rows = await this.#connection.rows(readableColumnsSql)
    return groupReadableColumns(
      rows.map((row) => ({
        schema: String(row['d']),
        name: String(row['t']),
        comment: row['remark'] ?? null,
        columnName: String(row['c']),
        columnComment: row['columnRemark'] ?? null,
      })),
    )
  }

  query(statement: string, limits: QueryLimits, signal: AbortSignal): Promise<QueryResult> {
    const kill = async () => {
      const { threadId } = this.#connection.driver
      await using other = await connectMysql(this.#reach, this.#around, session)
      await other.run(`KILL QUERY ${threadId}`)
    }
    return runMysqlQuery(this.#connection, statement, { limits, signal, kill })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}

/** The catalogue shows only what the login may read. The comment of a view is not one: it says VIEW, or why the view is invalid. */
const readableColumnsSql = `
  SELECT c.table_schema AS d, c.table_name AS t, CASE WHEN t.table_type <> 'VIEW' THEN t.table_comment END AS remark,
    c.column_name AS c, c.column_comment AS columnRemark
  FROM information_schema.columns c
  JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
  WHERE c.table_schema = DATABASE() AND c.table_name NOT LIKE 'tributary\\_%' AND FIND_IN_SET('select', c.privileges) > 0
  ORDER BY c.table_name, c.ordinal_position LIMIT ${readableColumnsMax}`

const createdTable = '`tributary_reading_check`'
/** https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html */
const lacksRight = new Set([1044, 1142, 1143, 1227, 1370])

/** Null if the right is missing. CREATE cannot be rolled back, so a table that was created is dropped. */
async function attempt(connection: MysqlConnection, statement: string): Promise<string | null> {
  await connection.run('START TRANSACTION')
  try {
    await connection.run(statement)
    if (statement.startsWith('CREATE')) await connection.run(`DROP TABLE ${createdTable}`)
    return `may run ${statement}`
  } catch (error) {
    const { cause, message } = error as Error
    const number = errorNumber(error) ?? errorNumber(cause)
    if (number !== undefined && lacksRight.has(number)) return null
    if (number === undefined) throw error
    return `was not refused for lack of rights (${message}): ${statement}`
  } finally {
    await connection.run('ROLLBACK')
  }
}
