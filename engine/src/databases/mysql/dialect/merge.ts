/** The statements that bring staged rows into a table. */
import type { StagedTable } from '../../sql-target/dialect.ts'
import { keyColumnsOnly, mainKeyOf } from '../../sql-target/table-layout.ts'
import { columnList, columnsEqual, quote, tableDefinition } from '../quoting.ts'
import type { MysqlDialect } from './session.ts'

/** Quoted name of a temporary table: no other session sees it, and it is dropped with its connection. */
export function temporary(name: string): string {
  return quote(`tributary_${name}`)
}

/** Keys of the parents in a batch. MySQL reads a temporary table only once in a statement, so they are listed first. */
const parents = temporary('parents')

export const mergeSql = {
  // Rows are loaded with REPLACE, so the key of the stage makes the last of several rows win.
  async createStage({ run, tableOptions }, { target, stage }, main) {
    const options = await tableOptions()
    const created = [`${stage} ${tableDefinition(target)}`]
    if (target.table.parentKey !== undefined) created.push(`${parents} ${tableDefinition(keyColumnsOnly(main))}`)
    for (const table of created) await run(`CREATE TEMPORARY TABLE IF NOT EXISTS ${table} ${options}`)
  },
  /** Leaves rows alone that are equal. */
  async merge({ connection }, staged) {
    const { affectedRows, info } = await connection.run(mergeStatement(staged))
    // 'Records: 5  Duplicates: 2  Warnings: 0': an existing row that differs is a duplicate, and affects two rows.
    const updated = Number(/\d+\D+(\d+)/.exec(info)?.[1] ?? 0)
    return { inserted: affectedRows - 2 * updated, updated }
  },
  async deleteMissingChildren({ run }, child, parent) {
    const { key, parentKey } = child.target
    const parentColumns = parent.target.key
    const list = `INSERT IGNORE INTO ${parents} (${columnList(parentColumns)}) SELECT`
    const came =
      key.length === 0
        ? ''
        : ` LEFT JOIN ${child.stage} AS came ON ${columnsEqual(['came', key], ['kept', key])} WHERE came.${quote(key[0] ?? '')} IS NULL`
    await run(`DELETE FROM ${parents}`)
    await run(`${list} ${columnList(parentColumns)} FROM ${parent.stage}`)
    await run(`${list} ${columnList(parentKey)} FROM ${child.stage}`)
    const joined = columnsEqual(['parent', parentColumns], ['kept', parentKey])
    return await run(`DELETE kept FROM ${child.into} AS kept JOIN ${parents} AS parent ON ${joined}${came}`)
  },
  deleteByKeys({ run }, { target, from, keys, which }) {
    const listed = keys.target.key
    const join = which === 'listed' ? 'JOIN' : 'LEFT JOIN'
    const where = which === 'listed' ? '' : ` WHERE listed.${quote(listed[0] ?? '')} IS NULL`
    const equal = columnsEqual(['listed', listed], ['kept', mainKeyOf(target)])
    return run(`DELETE kept FROM ${from} AS kept ${join} ${keys.stage} AS listed ON ${equal}${where}`)
  },
} satisfies Partial<MysqlDialect>

function mergeStatement({ target, stage, into }: StagedTable): string {
  const names = target.columns.map((column) => column.name)
  const insert = `INSERT INTO ${into} (${columnList(names)}) SELECT ${columnList(names, 'came')} FROM ${stage} AS came`
  if (target.key.length === 0) return insert
  const rest = target.columns.filter((column) => !column.isKey)
  // A table of keys alone has nothing to update, but must not stop at a key that exists.
  const set = rest.length === 0 ? [target.key[0] ?? ''] : rest.map((column) => column.name)
  return `${insert} ON DUPLICATE KEY UPDATE ${set.map((name) => `${into}.${quote(name)} = came.${quote(name)}`).join(', ')}`
}
