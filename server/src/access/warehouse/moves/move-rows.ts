/** The rows of moves. A worker changes one only with the fence that it has claimed. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../kernel/store/store.ts'
import type { WarehouseSchema } from '../../../kernel/store/schema/warehouse.ts'

type MoveTable = WarehouseSchema['warehouseMove']
export type MoveRow = Selectable<MoveTable>

/** In these states a worker has something to do now. */
const activeStates = ['COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED'] as const

/** The latest one. */
export function findMove(db: Db, organisationId: string): Promise<MoveRow | undefined> {
  return db
    .selectFrom('warehouseMove')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .orderBy('requestedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Those whose old copies still exist. */
export function listKeptCopies(db: Db, organisationId: string): Promise<MoveRow[]> {
  return db
    .selectFrom('warehouseMove')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('state', '=', 'KEPT')
    .execute()
}

/**
 * Claims a move that no worker holds, with a higher fence than all before. `db` must see all organisations.
 *
 * @param leaseMs without a heartbeat for this long, the worker has stopped
 * @param now for the time at which old copies are dropped
 */
export async function claimMoveEverywhere(db: Db, leaseMs: number, now: string): Promise<MoveRow | undefined> {
  const due = db
    .selectFrom('warehouseMove')
    .select('id')
    .where('endedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('state', 'in', [...activeStates]), eb.and([eb('state', '=', 'KEPT'), eb('dropAt', '<=', now)])]),
    )
    .where(sql<boolean>`(heartbeatAt IS NULL OR heartbeatAt < now() - ${leaseMs} * interval '1 millisecond')`)
    .where(sql<boolean>`(retryAt IS NULL OR retryAt <= now())`)
    .orderBy('requestedAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return await db
    .updateTable('warehouseMove')
    .set({ fence: sql`fence + 1`, heartbeatAt: sql`now()`, retryAt: null })
    .where('id', 'in', due)
    .returningAll()
    .executeTakeFirst()
}

export type MoveChange = Partial<
  Pick<
    MoveRow,
    'state' | 'notice' | 'tablesTotal' | 'tablesDone' | 'rowsCopied' | 'heldAt' | 'switchedAt' | 'dropAt' | 'endedAt'
  >
>

/** Another worker has claimed the move, or this one has given it back: it must stop. */
export class MoveLost extends Error {}

/** Throws `MoveLost` if another worker has claimed the move. A heartbeat that comes after `releaseMove` does not hold the move again. */
export async function changeMove(
  db: Db,
  { organisationId, id, fence }: Pick<MoveRow, 'organisationId' | 'id' | 'fence'>,
  change: MoveChange,
): Promise<MoveRow> {
  const changed = await db
    .updateTable('warehouseMove')
    .set({ ...change, heartbeatAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('heartbeatAt', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  if (changed === undefined) throw new MoveLost('Another worker continues the move.')
  return changed
}

/** Gives the move back, so that any worker continues it. @param retryMs null: at once */
export async function releaseMove(
  db: Db,
  { organisationId, id, fence }: Pick<MoveRow, 'organisationId' | 'id' | 'fence'>,
  { retryMs, notice }: { readonly retryMs: number | null; readonly notice: string | null },
): Promise<void> {
  await db
    .updateTable('warehouseMove')
    .set({
      heartbeatAt: null,
      retryAt: retryMs === null ? null : sql<string>`now() + ${retryMs} * interval '1 millisecond'`,
      ...(notice !== null && { notice }),
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}
