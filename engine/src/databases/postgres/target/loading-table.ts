/** One table of a stream while it is being loaded. */
import type pg from 'pg'
import { nothing } from '../../sql-target/row-counts.ts'
import type { Counts } from '../../../ports/target.ts'
import type { Lane } from './bulk-load.ts'
import { appendStatement, deleteGoneChildren, mergeStatement, type Staged } from './merge.ts'

export interface Part {
  readonly staged: Staged
  readonly lane: Lane
  /** Rows of its table that this load has changed. */
  moved: number
}

/** Brings what is staged into the table. */
export async function applyPart(client: pg.Client, part: Part): Promise<Counts> {
  const counts =
    part.staged.placement.key.length === 0 ? await append(client, part.staged) : await merge(client, part.staged)
  part.moved += counts.inserted + counts.updated
  return counts
}

async function append(client: pg.Client, staged: Staged): Promise<Counts> {
  return { ...nothing, inserted: (await client.query(appendStatement(staged))).rowCount ?? 0 }
}

async function merge(client: pg.Client, staged: Staged): Promise<Counts> {
  const merged = await client.query<{ inserted: string; updated: string }>(mergeStatement(staged))
  return { ...nothing, inserted: Number(merged.rows[0]?.inserted ?? 0), updated: Number(merged.rows[0]?.updated ?? 0) }
}

/** Deletes the children that the staged parents no longer have. */
export async function deleteGoneOf(client: pg.Client, child: Part, main: Part): Promise<Counts> {
  const deleted = (await client.query(deleteGoneChildren(child.staged, main.staged))).rowCount ?? 0
  child.moved += deleted
  return { ...nothing, deleted }
}
