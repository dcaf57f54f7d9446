/** The statements that bring staged rows into a table. */
import type { WriteCounts } from '../../../ports/target.ts'
import type { StagedTable } from '../../sql-target/dialect.ts'
import { columnsEqual } from '../../sql-target/sessions.ts'
import { quote } from '../types.ts'
import type { PostgresSession } from './session.ts'
import { columnList } from './tables.ts'

/** Numbers the rows of a staging table as they arrive, where a key may arrive more than once. */
const sequence = 'tributary_seq'

export async function createStage(
  { run }: PostgresSession,
  { target, stage, into, distinct }: StagedTable,
): Promise<void> {
  const columns = target.columns.map(({ name, type, isKey }) => `${quote(name)} ${type}${isKey ? ' NOT NULL' : ''}`)
  const isNumbered = into !== null && !distinct
  const numbered = isNumbered ? [...columns, `${quote(sequence)} bigint GENERATED ALWAYS AS IDENTITY`] : columns
  await run(`CREATE TEMP TABLE ${stage} (${numbered.join(', ')})`)
}

/** Leaves rows alone that are equal. */
export async function merge(
  { run, rows }: PostgresSession,
  staged: StagedTable,
): Promise<Pick<WriteCounts, 'inserted' | 'updated'>> {
  if (staged.target.key.length === 0) return { inserted: await run(appendStatement(staged)), updated: 0 }
  const [[inserted, updated] = []] = await rows(mergeStatement(staged))
  return { inserted: Number(inserted ?? 0), updated: Number(updated ?? 0) }
}

function mergeStatement(staged: StagedTable): string {
  const { target, into } = staged
  const names = target.columns.map((column) => column.name)
  const rest = target.columns.filter((column) => !column.isKey).map((column) => column.name)
  const onConflict = rest.length === 0 ? 'DO NOTHING' : updateOf(rest)
  return `WITH written AS (
    INSERT INTO ${into} AS kept (${columnList(names)}) ${lastOfEach(staged)}
    ON CONFLICT (${columnList(target.key)}) ${onConflict} RETURNING kept.xmax = 0 AS fresh)
  SELECT count(*) FILTER (WHERE fresh)::int8::text AS inserted, count(*) FILTER (WHERE NOT fresh)::text AS updated FROM written`
}

function updateOf(names: readonly string[]): string {
  const set = names.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(', ')
  const kept = names.map((name) => `kept.${quote(name)}`).join(', ')
  const excluded = names.map((name) => `excluded.${quote(name)}`).join(', ')
  return `DO UPDATE SET ${set} WHERE (${kept}) IS DISTINCT FROM (${excluded})`
}

function lastOfEach({ target, stage, distinct }: StagedTable): string {
  const names = columnList(target.columns.map((column) => column.name))
  if (distinct) return `SELECT ${names} FROM ${stage}`
  const key = columnList(target.key)
  return `SELECT DISTINCT ON (${key}) ${names} FROM ${stage} ORDER BY ${key}, ${quote(sequence)} DESC`
}

function appendStatement({ target, stage, into }: StagedTable): string {
  const names = columnList(target.columns.map((column) => column.name))
  return `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${stage}`
}

/**
 * Looks up the parents one by one, and OFFSET 0 keeps the planner to it: without statistics of the staging tables it would read the whole
 * table of children for every batch.
 */
export function deleteMissingChildren(
  { run }: PostgresSession,
  child: StagedTable,
  parent: StagedTable,
): Promise<number> {
  const { key, parentKey } = child.target
  const parents = `SELECT ${columnList(parent.target.key)} FROM ${parent.stage} UNION SELECT ${columnList(parentKey)} FROM ${child.stage}`
  const named = parentKey.map((_, at) => `key_${at}`)
  const ofParent = parentKey.map((name, at) => `kept.${quote(name)} = parent.key_${at}`).join(' AND ')
  const had = `SELECT kept.ctid AS place${key.map((name) => `, kept.${quote(name)}`).join('')} FROM ${child.into} AS kept WHERE ${ofParent} OFFSET 0`
  const remains =
    key.length === 0
      ? ''
      : ` WHERE NOT EXISTS (SELECT FROM ${child.stage} AS came WHERE ${columnsEqual(quote, ['came', key], ['had', key])})`
  return run(`DELETE FROM ${child.into} WHERE ctid = ANY (ARRAY(
    SELECT had.place FROM (${parents}) AS parent (${named.join(', ')}) CROSS JOIN LATERAL (${had}) AS had${remains}))`)
}

export function deleteListed(
  { run }: PostgresSession,
  { target, into }: Pick<StagedTable, 'target' | 'into'>,
  keys: Pick<StagedTable, 'target' | 'stage'>,
): Promise<number> {
  const own = target.table.parentKey === undefined ? target.key : target.parentKey
  return run(
    `DELETE FROM ${into} AS kept USING ${keys.stage} AS listed WHERE ${columnsEqual(quote, ['listed', keys.target.key], ['kept', own])}`,
  )
}
