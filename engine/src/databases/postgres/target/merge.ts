/** The statements that bring a staging table's rows into a table: pure, one string each. */
import { quote } from '../types.ts'
import { columnList, type Placement } from './tables.ts'

/** Numbers the rows of a staging table in the order they came, where a key may come more than once. */
export const sequence = 'tributary_seq'

export interface Staged {
  readonly placement: Placement
  /** Quoted names of the staging table and of the table to write to. */
  readonly stage: string
  readonly into: string
  readonly distinct: boolean
}

export function createStage({ placement, stage, distinct }: Staged): string {
  const columns = placement.columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.isKey ? ' NOT NULL' : ''}`,
  )
  const numbered = distinct ? columns : [...columns, `${quote(sequence)} bigint GENERATED ALWAYS AS IDENTITY`]
  return `CREATE TEMP TABLE ${stage} (${numbered.join(', ')})`
}

/** Inserts what is new, updates what differs, leaves alone what is equal; answers how many of the first two. */
export function mergeStatement(staged: Staged): string {
  const { placement, into } = staged
  const names = placement.columns.map((column) => column.name)
  const rest = placement.columns.filter((column) => !column.isKey).map((column) => column.name)
  const onConflict = rest.length === 0 ? 'DO NOTHING' : updateOf(rest)
  return `WITH written AS (
    INSERT INTO ${into} AS kept (${columnList(names)}) ${lastOfEach(staged)}
    ON CONFLICT (${columnList(placement.key)}) ${onConflict} RETURNING kept.xmax = 0 AS fresh)
  SELECT count(*) FILTER (WHERE fresh)::int8::text AS inserted, count(*) FILTER (WHERE NOT fresh)::text AS updated FROM written`
}

function updateOf(names: readonly string[]): string {
  const set = names.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(', ')
  const kept = names.map((name) => `kept.${quote(name)}`).join(', ')
  const excluded = names.map((name) => `excluded.${quote(name)}`).join(', ')
  return `DO UPDATE SET ${set} WHERE (${kept}) IS DISTINCT FROM (${excluded})`
}

function lastOfEach({ placement, stage, distinct }: Staged): string {
  const names = columnList(placement.columns.map((column) => column.name))
  if (distinct) return `SELECT ${names} FROM ${stage}`
  const key = columnList(placement.key)
  return `SELECT DISTINCT ON (${key}) ${names} FROM ${stage} ORDER BY ${key}, ${quote(sequence)} DESC`
}

/** Rows without a key are only ever added. */
export function appendStatement({ placement, stage, into }: Staged): string {
  const names = columnList(placement.columns.map((column) => column.name))
  return `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${stage}`
}

/**
 * Deletes the children that the parents of this batch no longer have. A child without a key goes in any case: it is written
 * anew. The parents are looked up one by one (OFFSET 0 keeps them so): a planner that knows nothing of the staging tables
 * would read the whole table of children for every batch.
 */
export function deleteGoneChildren(child: Staged, parent: Staged): string {
  const { key, parentKey } = child.placement
  const parents = `SELECT ${columnList(parent.placement.key)} FROM ${parent.stage} UNION SELECT ${columnList(parentKey)} FROM ${child.stage}`
  const named = parentKey.map((_, at) => `key_${at}`)
  const ofParent = parentKey.map((name, at) => `kept.${quote(name)} = parent.key_${at}`).join(' AND ')
  const had = `SELECT kept.ctid AS place${key.map((name) => `, kept.${quote(name)}`).join('')} FROM ${child.into} AS kept WHERE ${ofParent} OFFSET 0`
  const stillThere =
    key.length === 0
      ? ''
      : ` WHERE NOT EXISTS (SELECT FROM ${child.stage} AS came WHERE ${matching(key, 'came', key, 'had')})`
  return `DELETE FROM ${child.into} WHERE ctid = ANY (ARRAY(
    SELECT had.place FROM (${parents}) AS parent (${named.join(', ')}) CROSS JOIN LATERAL (${had}) AS had${stillThere}))`
}

export function matching(
  left: readonly string[],
  leftAlias: string,
  right: readonly string[],
  rightAlias: string,
): string {
  return left.map((name, at) => `${leftAlias}.${quote(name)} = ${rightAlias}.${quote(right[at] ?? name)}`).join(' AND ')
}
