/** The statements that bring staged rows into a table. */
import type { WriteCounts } from '../../../ports/target.ts'
import type { KeyedDelete, StagedTable } from '../../sql-target/dialect.ts'
import { columnsEqual } from '../../sql-target/sessions.ts'
import { keyColumnsOnly, type TargetTable } from '../../sql-target/table-layout.ts'
import { columnList, quote } from '../quoting.ts'
import type { MysqlSession } from './session.ts'
import { columnDefinition } from './tables.ts'

/** Quoted name of a temporary table: no other session sees it, and it is dropped with its connection. */
export function temporary(name: string): string {
  return quote(`tributary_${name}`)
}

/** Keys of the parents in a batch. MySQL reads a temporary table only once in a statement, so they are listed first. */
const parents = temporary('parents')

/** Rows are loaded with REPLACE, so the key of the stage makes the last of several rows win. */
export async function createStage(
  session: MysqlSession,
  { target, stage }: Pick<StagedTable, 'target' | 'stage'>,
  main: TargetTable,
): Promise<void> {
  const options = await session.tableOptions()
  const create = ({ columns, key }: TargetTable, name: string): Promise<number> => {
    const primaryKey = key.length === 0 ? [] : [`PRIMARY KEY (${columnList(key)})`]
    const definitions = [...columns.map(columnDefinition), ...primaryKey]
    return session.run(`CREATE TEMPORARY TABLE IF NOT EXISTS ${name} (${definitions.join(', ')}) ${options}`)
  }
  await create(target, stage)
  if (target.table.parentKey !== undefined) await create(keyColumnsOnly(main), parents)
}

/** Leaves rows alone that are equal. */
export async function merge(
  { connection }: MysqlSession,
  staged: StagedTable,
): Promise<Pick<WriteCounts, 'inserted' | 'updated'>> {
  const { affectedRows, info } = await connection.run(mergeStatement(staged))
  // 'Records: 5  Duplicates: 2  Warnings: 0': an existing row that differs is a duplicate, and affects two rows.
  const updated = Number(/\d+\D+(\d+)/.exec(info)?.[1] ?? 0)
  return { inserted: affectedRows - 2 * updated, updated }
}

function mergeStatement({ target, stage, into }: StagedTable): string {
  const names = target.columns.map((column) => column.name)
  const insert = `INSERT INTO ${into} (${columnList(names)}) SELECT ${names.map((name) => `came.${quote(name)}`).join(', ')} FROM ${stage} AS came`
  if (target.key.length === 0) return insert
  const rest = target.columns.filter((column) => !column.isKey)
  // A table of keys alone has nothing to update, but must not stop at a key that exists.
  const set = rest.length === 0 ? [target.key[0] ?? ''] : rest.map((column) => column.name)
  return `${insert} ON DUPLICATE KEY UPDATE ${set.map((name) => `${into}.${quote(name)} = came.${quote(name)}`).join(', ')}`
}

export async function deleteMissingChildren(
  { run }: MysqlSession,
  child: StagedTable,
  parent: StagedTable,
): Promise<number> {
  const { key, parentKey } = child.target
  const parentColumns = parent.target.key
  const list = `INSERT IGNORE INTO ${parents} (${columnList(parentColumns)}) SELECT`
  const came =
    key.length === 0
      ? ''
      : ` LEFT JOIN ${child.stage} AS came ON ${columnsEqual(quote, ['came', key], ['kept', key])} WHERE came.${quote(key[0] ?? '')} IS NULL`
  await run(`DELETE FROM ${parents}`)
  await run(`${list} ${columnList(parentColumns)} FROM ${parent.stage}`)
  await run(`${list} ${columnList(parentKey)} FROM ${child.stage}`)
  const joined = columnsEqual(quote, ['parent', parentColumns], ['kept', parentKey])
  return await run(`DELETE kept FROM ${child.into} AS kept JOIN ${parents} AS parent ON ${joined}${came}`)
}

/** Deletes the rows of a table, or of a child of it, whose keys of the main table are listed, or are not. */
export function deleteByKeys(target: TargetTable, { into, keys, which }: KeyedDelete): string {
  const own = target.table.parentKey === undefined ? target.key : target.parentKey
  const listed = keys.target.key
  const join = which === 'listed' ? 'JOIN' : 'LEFT JOIN'
  const where = which === 'listed' ? '' : ` WHERE listed.${quote(listed[0] ?? '')} IS NULL`
  return `DELETE kept FROM ${into} AS kept ${join} ${keys.stage} AS listed ON ${columnsEqual(quote, ['listed', listed], ['kept', own])}${where}`
}
