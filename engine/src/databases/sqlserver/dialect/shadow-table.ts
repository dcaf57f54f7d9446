/** Replacements: shadow tables are loaded while readers see the tables, then take their place in one transaction. */
import type { WriteCounts } from '../../../ports/target.ts'
import type { ReplacementEnd } from '../../sql-target/dialect.ts'
import { shadowTableName, shadowTablePrefix } from '../../sql-target/shadow-name.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { literal, procedureName, tableDefinition } from '../quoting.ts'
import { addPropertySql, listProperties } from './comments.ts'
import type { SqlServerDialect, SqlServerSession } from './session.ts'
import { qualified } from './tables.ts'

interface SqlServerReplacement {
  readonly tables: readonly TargetTable[]
  readonly fence: number
}

function finishReplacement(
  session: SqlServerSession,
  { tables, fence }: SqlServerReplacement,
  end: ReplacementEnd,
): Promise<WriteCounts> {
  const { run, rows } = session
  return end.transaction(async () => {
    const { counts, rows: count } = await end.apply()
    await end.recordHistory()
    await run('SET LOCK_TIMEOUT 10000')
    for (const target of tables) {
      // Rights and comments belong to a table, not to its name, so they are given again.
      const grants = await rows(grantsSql(target))
      const properties = await listProperties(session, target)
      await run(`DROP TABLE ${qualified(target)}`)
      await run(renameSql(target, shadowTableName(target.name, fence), target.name))
      for (const [grant] of grants) await run(String(grant))
      for (const property of properties) await run(addPropertySql(target, property))
    }
    await end.writeEnd(end.endState(count))
    return counts
  })
}

function shadowOf(target: TargetTable, fence: number): string {
  return qualified({ ...target, name: shadowTableName(target.name, fence) })
}

async function createShadowTable(session: SqlServerSession, target: TargetTable, fence: number): Promise<void> {
  await dropShadowTables(session, [target], fence)
  const shadow = shadowOf(target, fence)
  await session.run(`CREATE TABLE ${shadow} ${tableDefinition(target)}`)
  const unused = await session.rows(unusedColumnsSql(target))
  if (unused.length > 0) await session.run(`ALTER TABLE ${shadow} ADD ${unused.map(([column]) => column).join(', ')}`)
}

/** Definitions of columns that the source no longer fills. They stay, empty: no refresh drops one. */
function unusedColumnsSql(target: TargetTable): string {
  const size = (length: string) =>
    `'(' + CASE c.max_length WHEN -1 THEN 'max' ELSE CONVERT(varchar(10), ${length}) END + ')'`
  return `SELECT QUOTENAME(c.name) + ' ' + QUOTENAME(y.name) + CASE
      WHEN y.name IN ('varchar', 'char', 'varbinary', 'binary') THEN ${size('c.max_length')}
      WHEN y.name IN ('nvarchar', 'nchar') THEN ${size('c.max_length / 2')}
      WHEN y.name IN ('decimal', 'numeric') THEN '(' + CONVERT(varchar(10), c.precision) + ',' + CONVERT(varchar(10), c.scale) + ')'
      WHEN y.name IN ('datetime2', 'datetimeoffset', 'time') THEN '(' + CONVERT(varchar(10), c.scale) + ')' ELSE '' END + ' NULL'
    FROM sys.columns c JOIN sys.types y ON y.user_type_id = c.user_type_id
    WHERE c.object_id = OBJECT_ID(${literal(qualified(target))}) AND c.name NOT IN (${target.columns.map(({ name }) => literal(name)).join(', ')})`
}

/** The shadow table of an earlier attempt becomes this writer's, under this writer's name. */
async function takeOver(
  { run }: SqlServerSession,
  target: TargetTable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  if (from !== to) await run(renameSql(target, shadowTableName(target.name, from), shadowTableName(target.name, to)))
}

/** sp_rename takes the new name as it is, brackets included. */
function renameSql({ schema }: TargetTable, from: string, to: string): string {
  return `EXEC sp_rename ${procedureName(schema, from)}, ${literal(to)}, 'OBJECT'`
}

function grantsSql(target: TargetTable): string {
  const table = literal(qualified(target))
  return `SELECT CASE p.state WHEN 'D' THEN 'DENY ' ELSE 'GRANT ' END + p.permission_name COLLATE DATABASE_DEFAULT + ' ON ' + ${table} + COALESCE(' (' + QUOTENAME(c.name) + ')', '')
      + ' TO ' + QUOTENAME(USER_NAME(p.grantee_principal_id)) + CASE p.state WHEN 'W' THEN ' WITH GRANT OPTION' ELSE '' END
    FROM sys.database_permissions p LEFT JOIN sys.columns c ON c.object_id = p.major_id AND c.column_id = p.minor_id
    WHERE p.class = 1 AND p.major_id = OBJECT_ID(${table}) AND p.state IN ('G', 'D', 'W')`
}

/** Drops what unfinished replacements have left. A successor's stays, although this writer does not know yet that it was declared dead. */
async function dropShadowTables(
  { rows, run }: SqlServerSession,
  tables: readonly TargetTable[],
  fence: number,
): Promise<void> {
  for (const target of tables) {
    const prefix = shadowTablePrefix(target.name).replaceAll('_', '[_]')
    const left = await rows(
      `SELECT t.name FROM sys.tables t WHERE t.schema_id = SCHEMA_ID(${literal(target.schema)}) AND t.name LIKE ${literal(`${prefix}%`)}`,
    )
    const own = left
      .map(([name]) => String(name))
      .filter((name) => Number(name.slice(name.lastIndexOf('_') + 1)) <= fence)
    for (const name of own) await run(`DROP TABLE ${qualified({ ...target, name })}`)
  }
}

export const shadowSql = {
  dropShadowTables: (session, tables, { fence }) => dropShadowTables(session, tables, fence),
  async openShadowTables(session, { writer: { fence }, tables, refresh }) {
    for (const target of tables) {
      if (refresh === null) await createShadowTable(session, target, fence)
      else await takeOver(session, target, { from: refresh.fence, to: fence })
    }
    return {
      tables: tables.map((target) => shadowOf(target, fence)),
      isDirect: false,
      isResumed: refresh !== null,
      finish: (end) => finishReplacement(session, { tables, fence }, end),
    }
  },
} satisfies Partial<SqlServerDialect>
