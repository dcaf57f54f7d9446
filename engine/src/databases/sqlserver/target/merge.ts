/** The statements that bring staged rows into a table: pure, one string each. */
import { quote } from '../quoting.ts'
import { keyOnly, type ValuedColumn } from '../../sql-target/table-layout.ts'
import { stagedType } from './bulk-types.ts'
import { columnList, type Placement } from './tables.ts'

/** Numbers the staged rows in the order they came: of several with one key the last wins. */
export const sequence = quote('tributary_seq')

export interface Staged {
  readonly placement: Placement
  /** In the order of the values. */
  readonly columns: readonly ValuedColumn[]
  /** The temporary table that the rows are loaded into, quoted. */
  readonly stage: string
  /** The table to write to, quoted. */
  readonly into: string
  /** Every key comes once at most. */
  readonly distinct: boolean
}

export function createStage({ columns, stage }: Staged): string {
  // The types name their collation: without one, text would compare as tempdb does, where two keys may be one.
  const values = columns.map((column) => `${quote(column.name)} ${stagedType(column.type)} NULL`)
  return `CREATE TABLE ${stage} (${[`${sequence} int IDENTITY(1, 1) NOT NULL`, ...values].join(', ')})`
}

/** Whether `=`, unique indexes and PARTITION BY ignore blanks at the end of a text, or zero bytes at the end of a binary: in any collation. */
function isPadded({ type }: Pick<ValuedColumn, 'type'>): boolean {
  return type.startsWith('nvarchar') || type.startsWith('varbinary')
}

function isPaddedKey(column: ValuedColumn): boolean {
  return column.isKey && isPadded(column)
}

/** The key column that may make two keys look the same to SQL Server; null where none does. */
export function paddedKeyColumn({ columns }: Staged): ValuedColumn | null {
  return columns.find(isPaddedKey) ?? null
}

/** True of a staged row, `came`, whose key equals one in the table that it is not, so that a unique index refuses it. */
export function collidesWithStored({ columns, into }: Staged): string {
  const keys = columns.filter((column) => column.isKey)
  const equal = keys.map(({ name }) => `kept.${quote(name)} = came.${quote(name)}`)
  const exact = keys
    .filter(isPadded)
    .map(({ name }) => `DATALENGTH(kept.${quote(name)}) = DATALENGTH(came.${quote(name)})`)
  return `EXISTS (SELECT 1 FROM ${into} AS kept WHERE ${equal.join(' AND ')} AND NOT (${exact.join(' AND ')}))`
}

/** The same of rows that came together: the one with the shortest key stays. */
export function collidesWithStaged({ placement, columns, stage }: Staged): string {
  const lengths = columns.filter(isPaddedKey).map(({ name }) => `DATALENGTH(${quote(name)})`)
  const ranked = `SELECT ${sequence}, DENSE_RANK() OVER (PARTITION BY ${columnList(placement.key)} ORDER BY ${lengths.join(', ')}) AS tributary_place FROM ${stage}`
  return `came.${sequence} IN (SELECT ${sequence} FROM (${ranked}) AS ranked WHERE tributary_place > 1)`
}

/** The staged rows for which a condition on `came` holds. The driver would lose digits of decimals and moments, so those are text. */
export function selectStaged({ columns, stage }: Staged, condition: string): string {
  const list = columns.map(({ name, type }) =>
    /^(?:decimal|date|time)/.test(type) ? `CAST(${quote(name)} AS nvarchar(50))` : quote(name),
  )
  return `SELECT ${list.join(', ')} FROM ${stage} AS came WHERE ${condition}`
}

export function deleteStaged({ stage }: Staged, condition: string): string {
  return `DELETE came FROM ${stage} AS came WHERE ${condition}`
}

/** Of several staged rows with one key the last stays. Null where that cannot be. */
export function deleteSuperseded(staged: Staged): string | null {
  const { placement, stage, distinct } = staged
  if (distinct || placement.key.length === 0) return null
  const later = `SELECT 1 FROM ${stage} AS later WHERE ${sameKey(placement, 'later', 'came')} AND later.${sequence} > came.${sequence}`
  return deleteStaged(staged, `EXISTS (${later})`)
}

/** Updates what differs. Equality ignores blanks and zero bytes at the end, so lengths are compared too. Null where there is nothing to update. */
export function updateStatement({ placement, columns, stage, into }: Staged): string | null {
  const rest = columns.filter((column) => !column.isKey)
  if (rest.length === 0 || placement.key.length === 0) return null
  const set = rest.map(({ name }) => `kept.${quote(name)} = came.${quote(name)}`).join(', ')
  const compared = (alias: string): string =>
    rest
      .flatMap((column) => [
        `${alias}.${quote(column.name)}`,
        ...(isPadded(column) ? [`DATALENGTH(${alias}.${quote(column.name)})`] : []),
      ])
      .join(', ')
  return `UPDATE kept SET ${set} FROM ${into} AS kept JOIN ${stage} AS came ON ${sameKey(placement, 'came', 'kept')}
    WHERE EXISTS (SELECT ${compared('came')} EXCEPT SELECT ${compared('kept')})`
}

/** Inserts what is new. Rows without a key are only ever added. */
export function insertStatement(staged: Staged): string {
  const { placement, into } = staged
  if (placement.key.length === 0) return insertAllStatement(staged)
  return `${insertAllStatement(staged)} WHERE NOT EXISTS (SELECT 1 FROM ${into} AS kept WITH (UPDLOCK, HOLDLOCK) WHERE ${sameKey(placement, 'came', 'kept')})`
}

/** For a table that is empty. */
export function insertAllStatement({ columns, stage, into }: Staged): string {
  const names = columnList(columns.map((column) => column.name))
  return `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${stage} AS came`
}

/** Deletes the children that the parents of this batch no longer have. A child without a key goes in any case: it is written anew. */
export function deleteGoneChildren(child: Staged, parent: Staged): string {
  const { key, parentKey } = child.placement
  const ofParent = `EXISTS (SELECT 1 FROM ${parent.stage} AS parent WHERE ${sameKey(parent.placement, 'parent', 'kept', parentKey)})`
  const asParent = { ...child.placement, key: parentKey }
  const ofChildren = `EXISTS (SELECT 1 FROM ${child.stage} AS sibling WHERE ${sameKey(asParent, 'sibling', 'kept')})`
  const stillThere =
    key.length === 0
      ? ''
      : ` AND NOT EXISTS (SELECT 1 FROM ${child.stage} AS came WHERE ${sameKey(child.placement, 'came', 'kept')})`
  return `DELETE kept FROM ${child.into} AS kept WHERE (${ofParent} OR ${ofChildren})${stillThere}`
}

export interface KeyedDelete {
  readonly placement: Placement
  readonly into: string
  readonly listed: Staged
  readonly which: 'listed' | 'unlisted'
}

/** Deletes the rows of a table, or those of a child of it, whose keys of the main table are listed, or are not. */
export function deleteByKeys({ placement, into, listed, which }: KeyedDelete): string {
  const own = placement.table.parentKey === undefined ? placement.key : placement.parentKey
  const not = which === 'listed' ? '' : 'NOT '
  return `DELETE kept FROM ${into} AS kept WHERE ${not}EXISTS (SELECT 1 FROM ${listed.stage} AS listed WHERE ${sameKey(listed.placement, 'listed', 'kept', own)})`
}

/** Keys of the main table alone, to delete by. */
export function keyList(main: Placement, word: string): Staged {
  const placement = keyOnly(main)
  return { placement, columns: placement.columns, stage: quote(`#${word}`), into: '', distinct: false }
}

/** True of two rows with the same key, length included. `others` are the names on the right, in the order of the key. */
export function sameKey(
  { key, columns }: Placement,
  left: string,
  right: string,
  others: readonly string[] = key,
): string {
  return key
    .flatMap((name, at) => {
      const [one, other] = [`${left}.${quote(name)}`, `${right}.${quote(others[at] ?? name)}`]
      const column = columns.find((each) => each.name === name)
      const isExact = column === undefined || !isPadded(column)
      return [`${one} = ${other}`, ...(isExact ? [] : [`DATALENGTH(${one}) = DATALENGTH(${other})`])]
    })
    .join(' AND ')
}
