/** The statements that bring staged rows into a table. */
import type { StagedTable } from '../../sql-target/dialect.ts'
import type { AliasedColumns } from '../../sql-target/history/history-sql.ts'
import { mainKeyOf, type TargetColumn, type TargetTable } from '../../sql-target/table-layout.ts'
import { columnList, quote } from '../quoting.ts'
import { stagedType } from './bulk-types.ts'
import type { SqlServerDialect } from './session.ts'

/** Numbers the staged rows as they arrive: of several with one key the last wins. */
const sequence = quote('tributary_seq')

/** Whether `=`, unique indexes and PARTITION BY ignore blanks at the end of a text, or zero bytes at the end of a binary: in any collation. */
export function isPadded({ type }: Pick<TargetColumn, 'type'>): boolean {
  return type.startsWith('nvarchar') || type.startsWith('varbinary')
}

function isPaddedKey(column: TargetColumn): boolean {
  return column.isKey && isPadded(column)
}

/** The key column by which two keys may look the same to SQL Server; null if no such column exists. */
export function paddedKeyColumn({ target }: StagedTable): TargetColumn | null {
  return target.columns.find(isPaddedKey) ?? null
}

/** True of a staged row, `came`, whose key differs from one in the table but equals it to a unique index, which would refuse it. */
export function collidesWithStored({ target, into }: StagedTable): string {
  const keys = target.columns.filter((column) => column.isKey)
  const equal = keys.map(({ name }) => `kept.${quote(name)} = came.${quote(name)}`)
  const exact = keys
    .filter(isPadded)
    .map(({ name }) => `DATALENGTH(kept.${quote(name)}) = DATALENGTH(came.${quote(name)})`)
  return `EXISTS (SELECT 1 FROM ${into} AS kept WHERE ${equal.join(' AND ')} AND NOT (${exact.join(' AND ')}))`
}

/** The same within the staged rows: the one with the shortest key stays. */
export function collidesWithStaged({ target, stage }: StagedTable): string {
  const lengths = target.columns.filter(isPaddedKey).map(({ name }) => `DATALENGTH(${quote(name)})`)
  const ranked = `SELECT ${sequence}, DENSE_RANK() OVER (PARTITION BY ${columnList(target.key)} ORDER BY ${lengths.join(', ')}) AS tributary_place FROM ${stage}`
  return `came.${sequence} IN (SELECT ${sequence} FROM (${ranked}) AS ranked WHERE tributary_place > 1)`
}

/** Selects the staged rows for which a condition on `came` holds. Decimals and points in time as text: the driver would lose digits. */
export function selectStaged({ target, stage }: StagedTable, condition: string): string {
  const list = target.columns.map(({ name, type }) =>
    /^(?:decimal|date|time)/.test(type) ? `CAST(${quote(name)} AS nvarchar(50))` : quote(name),
  )
  return `SELECT ${list.join(', ')} FROM ${stage} AS came WHERE ${condition}`
}

export function deleteStaged({ stage }: StagedTable, condition: string): string {
  return `DELETE came FROM ${stage} AS came WHERE ${condition}`
}

/** Of several staged rows with one key the last stays. Null where that cannot be. */
export function deleteSuperseded(staged: StagedTable): string | null {
  const { target, stage, distinct } = staged
  if (distinct || target.key.length === 0) return null
  const later = `SELECT 1 FROM ${stage} AS later WHERE ${sameKey(target, 'later', 'came')} AND later.${sequence} > came.${sequence}`
  return deleteStaged(staged, `EXISTS (${later})`)
}

/** Equality ignores blanks and zero bytes at the end, so lengths are compared too. Null where there is nothing to update. */
function updateStatement({ target, stage, into }: StagedTable): string | null {
  const rest = target.columns.filter((column) => !column.isKey)
  if (rest.length === 0 || target.key.length === 0) return null
  const set = rest.map(({ name }) => `kept.${quote(name)} = came.${quote(name)}`).join(', ')
  const compared = (alias: string): string =>
    rest
      .flatMap((column) => [
        `${alias}.${quote(column.name)}`,
        ...(isPadded(column) ? [`DATALENGTH(${alias}.${quote(column.name)})`] : []),
      ])
      .join(', ')
  return `UPDATE kept SET ${set} FROM ${into} AS kept JOIN ${stage} AS came ON ${sameKey(target, 'came', 'kept')}
    WHERE EXISTS (SELECT ${compared('came')} EXCEPT SELECT ${compared('kept')})`
}

function insertStatement(staged: StagedTable): string {
  const { target, into } = staged
  if (target.key.length === 0) return insertAllStatement(staged)
  return `${insertAllStatement(staged)} WHERE NOT EXISTS (SELECT 1 FROM ${into} AS kept WITH (UPDLOCK, HOLDLOCK) WHERE ${sameKey(target, 'came', 'kept')})`
}

function insertAllStatement({ target, stage, into }: StagedTable): string {
  const names = columnList(target.columns.map((column) => column.name))
  return `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${stage} AS came`
}

/** True of two rows with the same key, length included. `others` are the names on the right, in the order of the key. */
export function sameKey(
  { key, columns }: TargetTable,
  left: string,
  right: string,
  others: readonly string[] = key,
): string {
  const ofKey = key.flatMap((name) => columns.filter((column) => column.name === name))
  return keysEqual(ofKey, { alias: left, names: key }, { alias: right, names: others })
}

/** Equality ignores blanks and zero bytes at the end, so lengths are compared too. */
export function keysEqual(columns: readonly TargetColumn[], left: AliasedColumns, right: AliasedColumns): string {
  return columns
    .flatMap((column, at) => {
      const [one, other] = [left, right].map(({ alias, names }) => `${alias}.${quote(names[at] ?? '')}`)
      return [`${one} = ${other}`, ...(isPadded(column) ? [`DATALENGTH(${one}) = DATALENGTH(${other})`] : [])]
    })
    .join(' AND ')
}

export const mergeSql = {
  async createStage({ run }, { target, stage }) {
    // The types name their collation: without one, text would compare as tempdb does, where two keys may be one.
    const values = target.columns.map(({ name, type }) => `${quote(name)} ${stagedType(type)} NULL`)
    await run(`CREATE TABLE ${stage} (${[`${sequence} int IDENTITY(1, 1) NOT NULL`, ...values].join(', ')})`)
  },
  async merge({ run }, staged, isEmpty) {
    const update = isEmpty ? null : updateStatement(staged)
    const updated = update === null ? 0 : await run(update)
    return { updated, inserted: await run(isEmpty ? insertAllStatement(staged) : insertStatement(staged)) }
  },
  deleteMissingChildren({ run }, child, parent) {
    const { key, parentKey } = child.target
    const ofParent = `EXISTS (SELECT 1 FROM ${parent.stage} AS parent WHERE ${sameKey(parent.target, 'parent', 'kept', parentKey)})`
    const asParent = { ...child.target, key: parentKey }
    const ofChildren = `EXISTS (SELECT 1 FROM ${child.stage} AS sibling WHERE ${sameKey(asParent, 'sibling', 'kept')})`
    const remains =
      key.length === 0
        ? ''
        : ` AND NOT EXISTS (SELECT 1 FROM ${child.stage} AS came WHERE ${sameKey(child.target, 'came', 'kept')})`
    return run(`DELETE kept FROM ${child.into} AS kept WHERE (${ofParent} OR ${ofChildren})${remains}`)
  },
  deleteByKeys({ run }, { target, from, keys, which }) {
    const not = which === 'listed' ? '' : 'NOT '
    const isListed = `EXISTS (SELECT 1 FROM ${keys.stage} AS listed WHERE ${sameKey(keys.target, 'listed', 'kept', mainKeyOf(target))})`
    return run(`DELETE kept FROM ${from} AS kept WHERE ${not}${isListed}`)
  },
} satisfies Partial<SqlServerDialect>
