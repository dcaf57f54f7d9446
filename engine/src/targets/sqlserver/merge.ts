/** The statements that bring staged text into a table: pure, one string each. */
import { quote } from '../../sqlserver/quoting.ts'
import { converted, exactCollation } from '../../sqlserver/types.ts'
import { keyOnly, type ValuedColumn } from '../../placement.ts'
import { columnList, createTable, type Placement } from './placement.ts'
import { stagedLength } from './values.ts'

/** Numbers the staged rows in the order they came: of several with one key the last wins. */
export const sequence = quote('tributary_seq')

export interface Staged {
  readonly placement: Placement
  /** In the order of the values. */
  readonly columns: readonly ValuedColumn[]
  /** The rows as text, and then as values: temporary tables, quoted. */
  readonly stage: string
  readonly typed: string
  /** The table to write to, quoted. */
  readonly into: string
}

export function createStage({ columns, stage }: Staged): string {
  // Without a collation of its own the text would compare as tempdb does, where two keys may be one.
  const texts = columns.map((column) => `${quote(column.name)} nvarchar(${stagedLength(column) ?? 'max'}) ${exactCollation} NULL`)
  return `CREATE TABLE ${stage} (${[`${sequence} int IDENTITY(1, 1) NOT NULL`, ...texts].join(', ')})`
}

export function createTyped({ placement, columns, typed }: Staged): string {
  const { key } = placement
  if (!columns.some(isPaddedKey)) return createTable(typed, { columns, key })
  // A primary key would take two keys for one that differ only in their length.
  return `${createTable(typed, { columns, key: [] })}; CREATE INDEX tributary_key ON ${typed} (${columnList(key)})`
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
  const value = ({ name, values, type }: ValuedColumn): string => converted(`came.${quote(name)}`, values, type)
  const equal = keys.map((column) => `kept.${quote(column.name)} = ${value(column)}`)
  const exact = keys.filter(isPadded).map((column) => `DATALENGTH(kept.${quote(column.name)}) = DATALENGTH(${value(column)})`)
  return `EXISTS (SELECT 1 FROM ${into} AS kept WHERE ${equal.join(' AND ')} AND NOT (${exact.join(' AND ')}))`
}

/** The same of rows that came together: the one with the shortest key stays. */
export function collidesWithStaged({ columns, stage }: Staged): string {
  const keys = columns.filter((column) => column.isKey)
  const value = ({ name, values, type }: ValuedColumn): string => converted(quote(name), values, type)
  const lengths = keys.filter(isPadded).map((column) => `DATALENGTH(${value(column)})`)
  const ranked = `SELECT ${sequence}, DENSE_RANK() OVER (PARTITION BY ${keys.map(value).join(', ')} ORDER BY ${lengths.join(', ')}) AS tributary_place FROM ${stage}`
  return `came.${sequence} IN (SELECT ${sequence} FROM (${ranked}) AS ranked WHERE tributary_place > 1)`
}

/** The staged rows for which a condition on `came` holds, as they came. */
export function selectStaged({ columns, stage }: Staged, condition: string): string {
  return `SELECT ${columnList(columns.map((column) => column.name))} FROM ${stage} AS came WHERE ${condition}`
}

export function deleteStaged({ stage }: Staged, condition: string): string {
  return `DELETE came FROM ${stage} AS came WHERE ${condition}`
}

/** True of a staged row of which a value cannot be converted, or that lacks a part of its key; null where every row can be. */
export function isMisfit({ columns }: Staged): string | null {
  const tests = columns.flatMap((column) => columnMisfit(column) ?? [])
  return tests.length === 0 ? null : tests.join(' OR ')
}

function columnMisfit({ name, values, type, isKey }: ValuedColumn): string | null {
  const text = quote(name)
  const value = converted(text, values, type)
  if (value === text) return isKey ? `${text} IS NULL` : null
  return isKey ? `${value} IS NULL` : `(${text} IS NOT NULL AND ${value} IS NULL)`
}

/** The staged rows that do not fit: which column is the first, then the values. */
export function selectMisfits(staged: Staged, misfit: string): string {
  const first = staged.columns.flatMap((column, at) => {
    const test = columnMisfit(column)
    return test === null ? [] : [`WHEN ${test} THEN ${at}`]
  })
  return `SELECT CASE ${first.join(' ')} END, ${columnList(staged.columns.map((column) => column.name))} FROM ${staged.stage} WHERE ${misfit}`
}

export function convertStatement({ placement, columns, stage, typed }: Staged): string {
  const names = columnList(columns.map((column) => column.name))
  const values = columns.map((column) => `${converted(quote(column.name), column.values, column.type)} AS ${quote(column.name)}`).join(', ')
  if (placement.key.length === 0) return `INSERT INTO ${typed} (${names}) SELECT ${values} FROM ${stage}`
  const padded = columns.filter(isPaddedKey).map(({ name }) => `DATALENGTH(${quote(name)})`)
  const key = [columnList(placement.key), ...padded].join(', ')
  return `WITH came AS (SELECT ${values}, ${sequence} FROM ${stage}), numbered AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${sequence} DESC) AS tributary_place FROM came)
    INSERT INTO ${typed} (${names}) SELECT ${names} FROM numbered WHERE tributary_place = 1`
}

/** Updates what differs. Equality ignores blanks and zero bytes at the end, so lengths are compared too. Null where there is nothing to update. */
export function updateStatement({ placement, columns, typed, into }: Staged): string | null {
  const rest = columns.filter((column) => !column.isKey)
  if (rest.length === 0 || placement.key.length === 0) return null
  const set = rest.map(({ name }) => `kept.${quote(name)} = came.${quote(name)}`).join(', ')
  const compared = (alias: string): string =>
    rest
      .flatMap((column) => [`${alias}.${quote(column.name)}`, ...(isPadded(column) ? [`DATALENGTH(${alias}.${quote(column.name)})`] : [])])
      .join(', ')
  return `UPDATE kept SET ${set} FROM ${into} AS kept JOIN ${typed} AS came ON ${sameKey(placement, 'came', 'kept')}
    WHERE EXISTS (SELECT ${compared('came')} EXCEPT SELECT ${compared('kept')})`
}

/** Inserts what is new. Rows without a key are only ever added. */
export function insertStatement({ placement, columns, typed, into }: Staged): string {
  const names = columnList(columns.map((column) => column.name))
  const insert = `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${typed} AS came`
  if (placement.key.length === 0) return insert
  return `${insert} WHERE NOT EXISTS (SELECT 1 FROM ${into} AS kept WITH (UPDLOCK, HOLDLOCK) WHERE ${sameKey(placement, 'came', 'kept')})`
}

/** Deletes the children that the parents of this batch no longer have. A child without a key goes in any case: it is written anew. */
export function deleteGoneChildren(child: Staged, parent: Staged): string {
  const { key, parentKey } = child.placement
  const ofParent = `EXISTS (SELECT 1 FROM ${parent.typed} AS parent WHERE ${sameKey(parent.placement, 'parent', 'kept', parentKey)})`
  const asParent = { ...child.placement, key: parentKey }
  const ofChildren = `EXISTS (SELECT 1 FROM ${child.typed} AS sibling WHERE ${sameKey(asParent, 'sibling', 'kept')})`
  const stillThere =
    key.length === 0 ? '' : ` AND NOT EXISTS (SELECT 1 FROM ${child.typed} AS came WHERE ${sameKey(child.placement, 'came', 'kept')})`
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
  return `DELETE kept FROM ${into} AS kept WHERE ${not}EXISTS (SELECT 1 FROM ${listed.typed} AS listed WHERE ${sameKey(listed.placement, 'listed', 'kept', own)})`
}

/** Keys of the main table alone, to delete by. */
export function keyList(main: Placement, word: string): Staged {
  const placement = keyOnly(main)
  return { placement, columns: placement.columns, stage: quote(`#${word}`), typed: quote(`#${word}_typed`), into: '' }
}

/** True of two rows with the same key, length included. `others` are the names on the right, in the order of the key. */
export function sameKey({ key, columns }: Placement, left: string, right: string, others: readonly string[] = key): string {
  return key
    .flatMap((name, at) => {
      const [one, other] = [`${left}.${quote(name)}`, `${right}.${quote(others[at] ?? name)}`]
      const column = columns.find((each) => each.name === name)
      const isExact = column === undefined || !isPadded(column)
      return [`${one} = ${other}`, ...(isExact ? [] : [`DATALENGTH(${one}) = DATALENGTH(${other})`])]
    })
    .join(' AND ')
}
