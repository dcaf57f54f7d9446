/** One table of a stream while it is being loaded: merges its staged rows and deletes rows by key. */
import type { Counts } from '../../../ports/target.ts'
import { nothing } from '../../sql-target/row-counts.ts'
import type { MysqlConnection } from '../connection.ts'
import type { Lane } from './bulk-load.ts'
import { deleteByKeys, mergeStatement, type Staged, temporary } from './merge.ts'

/** Temporary tables of keys: of the parents in a batch, and of rows that the source says are gone. */
export const parentKeys = temporary('parents')
export const goneKeys = temporary('gone')

export interface Part {
  readonly staged: Staged
  readonly lane: Lane
  /** Rows of its table that this load has changed. */
  moved: number
}

export interface Gone {
  readonly main: number
  readonly all: number
}

export async function mergePart(connection: MysqlConnection, part: Part): Promise<Counts> {
  const { affectedRows, info } = await connection.run(mergeStatement(part.staged))
  // 'Records: 5  Duplicates: 2  Warnings: 0': a row that is there and differs is a duplicate, and affects two rows.
  const updated = Number(/\d+\D+(\d+)/.exec(info)?.[1] ?? 0)
  part.moved += affectedRows - updated
  return { ...nothing, inserted: affectedRows - 2 * updated, updated }
}

/** Only a DELETE counts: the statements beside it list what it deletes. */
export async function deleteRows(connection: MysqlConnection, sql: string): Promise<number> {
  const { affectedRows } = await connection.run(sql)
  return sql.startsWith('DELETE kept') ? affectedRows : 0
}

/** Deletes the rows whose keys the source says are gone, children first. */
export async function deleteGone(connection: MysqlConnection, main: Part, children: readonly Part[]): Promise<Gone> {
  const by = { keys: goneKeys, columns: main.staged.placement.key, which: 'listed' } as const
  const deleteFrom = ({ staged }: Part) =>
    deleteRows(connection, deleteByKeys(staged.placement, { ...by, into: staged.into }))
  let all = 0
  for (const child of children) all += await deleteFrom(child)
  const deleted = await deleteFrom(main)
  await connection.run(`DELETE FROM ${goneKeys}`)
  return { main: deleted, all: all + deleted }
}
