/** The statements that bring a staging table's rows into a table: pure, one string each. */
import { quote } from '../quoting.ts'
import { columnList, type Placement } from './tables.ts'

export interface Staged {
  readonly placement: Placement
  /** Quoted names of the staging table and of the table to write to. */
  readonly stage: string
  readonly into: string
}

/** The key makes the last of several rows win, for rows are loaded with REPLACE. */
export function createStage({ placement, stage }: Staged, options: string): string {
  const columns = placement.columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.isKey ? ' NOT NULL' : ' NULL'}`,
  )
  const key = placement.key.length === 0 ? [] : [`PRIMARY KEY (${columnList(placement.key)})`]
  return `CREATE TEMPORARY TABLE ${stage} (${[...columns, ...key].join(', ')}) ${options}`
}

/** Inserts what is new, updates what differs, leaves alone what is equal. Rows without a key are only ever added. */
export function mergeStatement({ placement, stage, into }: Staged): string {
  const names = placement.columns.map((column) => column.name)
  const insert = `INSERT INTO ${into} (${columnList(names)}) SELECT ${names.map((name) => `came.${quote(name)}`).join(', ')} FROM ${stage} AS came`
  if (placement.key.length === 0) return insert
  const rest = placement.columns.filter((column) => !column.isKey)
  // A table of keys alone has nothing to update, but must not stop at a key that is there.
  const set = rest.length === 0 ? [placement.key[0] ?? ''] : rest.map((column) => column.name)
  return `${insert} ON DUPLICATE KEY UPDATE ${set.map((name) => `${into}.${quote(name)} = came.${quote(name)}`).join(', ')}`
}

/** Lists keys of the main table, in a temporary table that drops repetitions. */
export function createKeys(placement: Placement, keys: string, options: string): string {
  const columns = placement.columns
    .filter((column) => column.isKey)
    .map((column) => `${quote(column.name)} ${column.type} NOT NULL`)
  return `CREATE TEMPORARY TABLE ${keys} (${columns.join(', ')}, PRIMARY KEY (${columnList(placement.key)})) ${options}`
}

/**
 * Deletes the children that the parents of this batch no longer have. A child without a key goes in any case: it is
 * written anew. MySQL reads a temporary table once in a statement at most, so the parents are listed first.
 */
export function deleteGoneChildren(child: Staged, parent: Staged, parents: string): readonly string[] {
  const { key, parentKey } = child.placement
  const list = `INSERT IGNORE INTO ${parents} (${columnList(parent.placement.key)}) SELECT`
  const came =
    key.length === 0
      ? ''
      : ` LEFT JOIN ${child.stage} AS came ON ${matching(key, 'came', key, 'kept')} WHERE came.${quote(key[0] ?? '')} IS NULL`
  return [
    `DELETE FROM ${parents}`,
    `${list} ${columnList(parent.placement.key)} FROM ${parent.stage}`,
    `${list} ${columnList(parentKey)} FROM ${child.stage}`,
    `DELETE kept FROM ${child.into} AS kept JOIN ${parents} AS parent ON ${matching(parent.placement.key, 'parent', parentKey, 'kept')}${came}`,
  ]
}

/** Deletes the rows whose keys are listed, or (`without`) those whose keys are not. */
export function deleteByKeys(placement: Placement, { into, keys, columns, which }: KeyedDelete): string {
  const own = placement.table.parentKey === undefined ? placement.key : placement.parentKey
  const join = which === 'listed' ? 'JOIN' : 'LEFT JOIN'
  const where = which === 'listed' ? '' : ` WHERE listed.${quote(columns[0] ?? '')} IS NULL`
  return `DELETE kept FROM ${into} AS kept ${join} ${keys} AS listed ON ${matching(columns, 'listed', own, 'kept')}${where}`
}

export interface KeyedDelete {
  readonly into: string
  /** The table that lists the keys, quoted. */
  readonly keys: string
  /** Its columns, in key order. */
  readonly columns: readonly string[]
  readonly which: 'listed' | 'unlisted'
}

function matching(left: readonly string[], leftAlias: string, right: readonly string[], rightAlias: string): string {
  return left.map((name, at) => `${leftAlias}.${quote(name)} = ${rightAlias}.${quote(right[at] ?? name)}`).join(' AND ')
}

/** A temporary table of ours, quoted: nobody else sees it, and it goes with its connection. */
export function temporary(name: string): string {
  return quote(`tributary_${name}`)
}
