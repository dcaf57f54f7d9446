/** A replacement: tables loaded beside those that readers see, which then take their place in one transaction. */
import { createHash } from 'node:crypto'
import type { Surroundings } from '../../../ports/source.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, renamed } from '../quoting.ts'
import type { Writer } from '../../../ports/target.ts'
import { createTable, type Placement, qualified } from './tables.ts'
import type { Refresh } from '../../sql-target/stored-state.ts'

export interface Beside {
  /** Quoted names of the tables beside, in the order of the placements. */
  readonly tables: readonly string[]
  readonly resumed: boolean
  readonly now: number
  /** Takes the place of the former tables, inside the last transaction. */
  swap(): Promise<void>
}

export interface Opening {
  readonly connection: SqlConnection
  readonly writer: Writer
  readonly placements: readonly Placement[]
  /** Where to go on, if so. */
  readonly refresh: Refresh | null
  readonly around: Surroundings
}

/** The name carries the fence, so that a writer that was declared dead can never add to its successor's table. */
export function nameBeside(placement: Placement, fence: number): string {
  return `tributary_new_${createHash('sha256').update(placement.name).digest('hex').slice(0, 12)}_${fence}`
}

export async function openBeside({ connection, writer, placements, refresh, around }: Opening): Promise<Beside> {
  for (const placement of placements) {
    if (refresh === null) await makeTable(connection, placement, writer.fence)
    else await takeOver(connection, placement, { from: refresh.fence, to: writer.fence })
  }
  return {
    tables: placements.map((placement) => at(placement, nameBeside(placement, writer.fence))),
    resumed: refresh !== null,
    now: around.clock.now(),
    swap: async () => {
      await connection.run('SET LOCK_TIMEOUT 10000')
      for (const placement of placements) await swapTable(connection, placement, nameBeside(placement, writer.fence))
    },
  }
}

function at(placement: Placement, name: string): string {
  return qualified({ ...placement, name })
}

async function makeTable(connection: SqlConnection, placement: Placement, fence: number): Promise<void> {
  await dropBeside(connection, placement, fence)
  const beside = at(placement, nameBeside(placement, fence))
  await connection.run(createTable(beside, placement))
  const left = await connection.rows(leftColumnsSql(placement))
  if (left.length > 0)
    await connection.run(`ALTER TABLE ${beside} ADD ${left.map(([column]) => String(column)).join(', ')}`)
}

/** Columns that the source no longer fills stay, empty: no refresh takes one away. Each as a statement spells it. */
function leftColumnsSql(placement: Placement): string {
  const size = (length: string) =>
    `'(' + CASE c.max_length WHEN -1 THEN 'max' ELSE CONVERT(varchar(10), ${length}) END + ')'`
  return `SELECT QUOTENAME(c.name) + ' ' + QUOTENAME(y.name) + CASE
      WHEN y.name IN ('varchar', 'char', 'varbinary', 'binary') THEN ${size('c.max_length')}
      WHEN y.name IN ('nvarchar', 'nchar') THEN ${size('c.max_length / 2')}
      WHEN y.name IN ('decimal', 'numeric') THEN '(' + CONVERT(varchar(10), c.precision) + ',' + CONVERT(varchar(10), c.scale) + ')'
      WHEN y.name IN ('datetime2', 'datetimeoffset', 'time') THEN '(' + CONVERT(varchar(10), c.scale) + ')' ELSE '' END + ' NULL'
    FROM sys.columns c JOIN sys.types y ON y.user_type_id = c.user_type_id
    WHERE c.object_id = OBJECT_ID(${literal(qualified(placement))}) AND c.name NOT IN (${placement.columns.map(({ name }) => literal(name)).join(', ')})`
}

/** What an earlier attempt has loaded becomes this writer's, under this writer's name. */
async function takeOver(
  connection: SqlConnection,
  placement: Placement,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  if (from !== to) await connection.run(rename(placement, nameBeside(placement, from), nameBeside(placement, to)))
}

/** Rights are given to a table and not to its name, so they are given again. */
async function swapTable(connection: SqlConnection, placement: Placement, beside: string): Promise<void> {
  const grants = await connection.rows(grantsSql(placement))
  await connection.run(`DROP TABLE ${qualified(placement)}`)
  await connection.run(rename(placement, beside, placement.name))
  for (const [grant] of grants) await connection.run(String(grant))
}

/** The new name is taken as it stands, brackets and all. */
function rename(placement: Placement, from: string, to: string): string {
  return `EXEC sp_rename ${renamed(placement.schema, from)}, ${literal(to)}, 'OBJECT'`
}

function grantsSql(placement: Placement): string {
  const table = literal(qualified(placement))
  return `SELECT CASE p.state WHEN 'D' THEN 'DENY ' ELSE 'GRANT ' END + p.permission_name COLLATE DATABASE_DEFAULT + ' ON ' + ${table} + COALESCE(' (' + QUOTENAME(c.name) + ')', '')
      + ' TO ' + QUOTENAME(USER_NAME(p.grantee_principal_id)) + CASE p.state WHEN 'W' THEN ' WITH GRANT OPTION' ELSE '' END
    FROM sys.database_permissions p LEFT JOIN sys.columns c ON c.object_id = p.major_id AND c.column_id = p.minor_id
    WHERE p.class = 1 AND p.major_id = OBJECT_ID(${table}) AND p.state IN ('G', 'D', 'W')`
}

/** Drops what half-done replacements of this table have left; a successor's stays, although this writer does not know yet that it is dead. */
export async function dropBeside(connection: SqlConnection, placement: Placement, fence: number): Promise<void> {
  const stem = nameBeside(placement, 0).slice(0, -1).replaceAll('_', '[_]')
  const left = await connection.rows(
    `SELECT t.name FROM sys.tables t WHERE t.schema_id = SCHEMA_ID(${literal(placement.schema)}) AND t.name LIKE ${literal(`${stem}%`)}`,
  )
  const ours = left
    .map(([name]) => String(name))
    .filter((name) => Number(name.slice(name.lastIndexOf('_') + 1)) <= fence)
  for (const name of ours) await connection.run(`DROP TABLE ${at(placement, name)}`)
}
