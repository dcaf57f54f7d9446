/** Queries on a SQL Server target under a second login, and the proof that this login cannot write. */
import type { QueryLimits, QueryResult } from '../../../ports/query.ts'
import type { ReadableTable, TargetReader, TargetReading } from '../../../ports/target-reader.ts'
import { groupReadableColumns, readableColumnsMax } from '../../queries/readable-tables.ts'
import { connectSqlServer, type SqlConnection } from '../connection.ts'
import type { SqlServerTargetSettings } from '../dialect/settings.ts'
import { errorNumber } from '../faults.ts'
import { literal, quote } from '../quoting.ts'
import { runSqlServerQuery } from './run-query.ts'

export const sqlServerReading: TargetReading<SqlServerTargetSettings> = {
  dialect: 'sqlserver',
  addressOf: ({ host, port, database, encrypt, trustServerCertificate }) =>
    `sqlserver ${host}:${port}/${database} ${encrypt} ${trustServerCertificate}`,
  instructions: ({ database, schema }) =>
    [
      `CREATE LOGIN tributary_reader WITH PASSWORD = '…';`,
      `USE ${quote(database)};`,
      `CREATE USER tributary_reader FOR LOGIN tributary_reader;`,
      `GRANT SELECT ON SCHEMA::${quote(schema)} TO tributary_reader;`,
    ].join('\n'),
  open: async (settings, login, around) =>
    new SqlServerReader(await connectSqlServer({ ...settings, ...login }, around), settings.schema),
}

/** https://learn.microsoft.com/sql/relational-databases/security/permissions-database-engine */
const readingPermissions = [
  'CONNECT',
  'CONNECT SQL',
  'CONNECT ANY DATABASE',
  'SELECT',
  'SHOWPLAN',
  'VIEW ANY DATABASE',
  'VIEW ANY COLUMN ENCRYPTION KEY DEFINITION',
  'VIEW ANY COLUMN MASTER KEY DEFINITION',
  'VIEW ANY DEFINITION',
  'VIEW ANY PERFORMANCE DEFINITION',
  'VIEW DATABASE PERFORMANCE STATE',
  'VIEW DATABASE STATE',
  'VIEW DEFINITION',
  'VIEW PERFORMANCE DEFINITION',
  'VIEW SERVER PERFORMANCE STATE',
  'VIEW SERVER STATE',
]

const serverRoles = [
  'sysadmin',
  'securityadmin',
  'serveradmin',
  'setupadmin',
  'processadmin',
  'diskadmin',
  'dbcreator',
  'bulkadmin',
]
const databaseRoles = [
  'db_owner',
  'db_securityadmin',
  'db_accessadmin',
  'db_backupoperator',
  'db_ddladmin',
  'db_datawriter',
]

const list = (names: readonly string[]) => names.map((name) => `(${literal(name)})`).join(', ')

const writeRightsSql = `
  SELECT N'is a member of ' + name AS finding FROM (VALUES ${list(serverRoles)}) AS roles(name) WHERE IS_SRVROLEMEMBER(name) = 1
  UNION SELECT N'is a member of ' + name FROM (VALUES ${list(databaseRoles)}) AS roles(name) WHERE IS_MEMBER(name) = 1
  UNION SELECT N'is the owner of the database' WHERE USER_NAME() = N'dbo'
  UNION SELECT N'has ' + permission_name + N' on the server' FROM sys.fn_my_permissions(NULL, N'SERVER')
    WHERE permission_name NOT IN (SELECT name FROM (VALUES ${list(readingPermissions)}) AS reading(name))
  UNION SELECT N'has ' + permission_name + N' on the database' FROM sys.fn_my_permissions(NULL, N'DATABASE')
    WHERE permission_name NOT IN (SELECT name FROM (VALUES ${list(readingPermissions)}) AS reading(name))
  UNION SELECT N'may change the schema ' + name FROM sys.schemas WHERE HAS_PERMS_BY_NAME(QUOTENAME(name), N'SCHEMA', N'ALTER') = 1
  UNION SELECT N'has ' + rights.name + N' on ' + SCHEMA_NAME(o.schema_id) + N'.' + o.name
    FROM sys.objects AS o CROSS JOIN (VALUES (N'INSERT'), (N'UPDATE'), (N'DELETE'), (N'ALTER'), (N'CONTROL'), (N'TAKE OWNERSHIP')) AS rights(name)
    WHERE o.is_ms_shipped = 0 AND o.type IN ('U', 'V')
      AND HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name), N'OBJECT', rights.name, NULL, NULL) = 1
  UNION SELECT N'may run ' + SCHEMA_NAME(o.schema_id) + N'.' + o.name + N', which acts with the rights of its owner'
    FROM sys.objects AS o WHERE o.is_ms_shipped = 0 AND o.type IN ('P', 'PC', 'X', 'FN', 'FS')
      AND HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name), N'OBJECT', N'EXECUTE') = 1
  UNION SELECT N'may run xp_cmdshell' WHERE HAS_PERMS_BY_NAME(N'master.sys.xp_cmdshell', N'OBJECT', N'EXECUTE') = 1
  ORDER BY 1`

const readableColumnsSql = `
  SELECT TOP ${readableColumnsMax} s.name, o.name, CONVERT(nvarchar(4000), ot.value), c.name, CONVERT(nvarchar(4000), oc.value)
  FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  JOIN sys.columns AS c ON c.object_id = o.object_id AND c.is_hidden = 0
  LEFT JOIN sys.extended_properties AS ot ON ot.class = 1 AND ot.major_id = o.object_id AND ot.minor_id = 0 AND ot.name = N'MS_Description'
  LEFT JOIN sys.extended_properties AS oc ON oc.class = 1 AND oc.major_id = o.object_id AND oc.minor_id = c.column_id AND oc.name = N'MS_Description'
  WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND o.name NOT LIKE N'tributary[_]%'
    AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), N'OBJECT', N'SELECT', QUOTENAME(c.name), N'COLUMN') = 1
  ORDER BY s.name, o.name, c.column_id`

class SqlServerReader implements TargetReader {
  readonly #connection: SqlConnection
  readonly #schema: string

  constructor(connection: SqlConnection, schema: string) {
    this.#connection = connection
    this.#schema = schema
  }

  async findWriteRights(): Promise<readonly string[]> {
    return (await this.#connection.rows(writeRightsSql)).map(([finding]) => String(finding))
  }

  async attemptToWrite(): Promise<readonly string[]> {
    const rows = await this.#connection.rows(
      `SELECT TOP 1 QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name), QUOTENAME(c.name)
       FROM sys.objects AS o JOIN sys.columns AS c ON c.object_id = o.object_id AND c.is_identity = 0 AND c.is_computed = 0
       WHERE o.type = 'U' AND o.is_ms_shipped = 0 ORDER BY c.column_id`,
    )
    const [table, column] = rows[0] ?? []
    const attempts = [
      `CREATE TABLE ${quote(this.#schema)}.tributary_reading_check (x int)`,
      ...(table === undefined
        ? []
        : [
            `INSERT INTO ${String(table)} (${String(column)}) SELECT ${String(column)} FROM ${String(table)} WHERE 1 = 0`,
            `UPDATE ${String(table)} SET ${String(column)} = ${String(column)} WHERE 1 = 0`,
          ]),
    ]
    const findings: string[] = []
    for (const statement of attempts) {
      const finding = await attempt(this.#connection, statement)
      if (finding !== null) findings.push(finding)
    }
    return findings
  }

  async listTables(): Promise<readonly ReadableTable[]> {
    const rows = await this.#connection.rows(readableColumnsSql)
    return groupReadableColumns(
      rows.map(([schema, name, comment, columnName, columnComment]) => ({
        schema: String(schema),
        name: String(name),
        comment: textOrNull(comment),
        columnName: String(columnName),
        columnComment: textOrNull(columnComment),
      })),
    )
  }

  query(statement: string, limits: QueryLimits, signal: AbortSignal): Promise<QueryResult> {
    return runSqlServerQuery(this.#connection, statement, { limits, signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Missing rights, and a schema that this login does not see. */
const lacksRight = new Set([229, 230, 262, 1088, 2760])

/** Null if the right is missing. */
async function attempt(connection: SqlConnection, statement: string): Promise<string | null> {
  await connection.run('BEGIN TRANSACTION')
  try {
    await connection.run(statement)
    return `may run ${statement}`
  } catch (error) {
    const { message } = error as Error
    const number = errorNumber(error)
    if (number === undefined) throw error
    return lacksRight.has(number) ? null : `was not refused for lack of rights (${message}): ${statement}`
  } finally {
    await connection.run('IF @@TRANCOUNT > 0 ROLLBACK')
  }
}
