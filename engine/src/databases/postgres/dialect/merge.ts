/** The statements that bring staged rows into a table. */
import type { StagedTable } from '../../sql-target/dialect.ts'
import { mainKeyOf } from '../../sql-target/table-layout.ts'
import { columnList, columnsEqual, quote } from '../types.ts'
import type { PostgresDialect } from './session.ts'

/** Numbers the rows of a staging table as they arrive, where a key may arrive more than once. */
const sequence = 'tributary_seq'

/** The rows to delete after a key comparison, in its transaction. */
export const unlisted = 'tributary_gone'

export const mergeSql = {
  async createStage({ run }, { target, stage, into, distinct }) {
    const columns = target.columns.map(({ name, type, isKey }) => `${quote(name)} ${type}${isKey ? ' NOT NULL' : ''}`)
    const isNumbered = into !== null && !distinct
    const numbered = isNumbered ? [...columns, `${quote(sequence)} bigint GENERATED ALWAYS AS IDENTITY`] : columns
    await run(`CREATE TEMP TABLE ${stage} (${numbered.join(', ')})`)
  },
  /** Leaves rows alone that are equal. */
  async merge({ run, rows }, staged) {
    if (staged.target.key.length === 0) return { inserted: await run(appendStatement(staged)), updated: 0 }
    const [[inserted, updated] = []] = await rows(mergeStatement(staged))
    return { inserted: Number(inserted ?? 0), updated: Number(updated ?? 0) }
  },
  /**
   * Looks up the parents one by one, and OFFSET 0 keeps the planner to it: without statistics of the staging tables it would read the whole
   * table of children for every batch.
   */
  deleteMissingChildren({ run }, child, parent) {
    const { key, parentKey } = child.target
    const parents = `SELECT ${columnList(parent.target.key)} FROM ${parent.stage} UNION SELECT ${columnList(parentKey)} FROM ${child.stage}`
    const named = parentKey.map((_, at) => `key_${at}`)
    const ofParent = parentKey.map((name, at) => `kept.${quote(name)} = parent.key_${at}`).join(' AND ')
    const had = `SELECT kept.ctid AS place${key.map((name) => `, kept.${quote(name)}`).join('')} FROM ${child.into} AS kept WHERE ${ofParent} OFFSET 0`
    const remains =
      key.length === 0
        ? ''
        : ` WHERE NOT EXISTS (SELECT FROM ${child.stage} AS came WHERE ${columnsEqual(['came', key], ['had', key])})`
    return run(`DELETE FROM ${child.into} WHERE ctid = ANY (ARRAY(
    SELECT had.place FROM (${parents}) AS parent (${named.join(', ')}) CROSS JOIN LATERAL (${had}) AS had${remains}))`)
  },
  deleteByKeys({ run }, { target, from, keys, which }) {
    const list = which === 'listed' ? keys.stage : unlisted
    const equal = columnsEqual(['listed', keys.target.key], ['kept', mainKeyOf(target)])
    return run(`DELETE FROM ${from} AS kept USING ${list} AS listed WHERE ${equal}`)
  },
} satisfies Partial<PostgresDialect>

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
  return `DO UPDATE SET ${set} WHERE (${columnList(names, 'kept')}) IS DISTINCT FROM (${columnList(names, 'excluded')})`
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
