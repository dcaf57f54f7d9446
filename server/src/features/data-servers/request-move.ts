/** Starts, cancels and ends moves of warehouses. A worker does the work. */
import type { AppServices } from '../../app-services.ts'
import { mailBeforeMove } from '../../access/warehouse/moves/move-emails.ts'
import { findMove, listKeptCopies, type MoveRow } from '../../access/warehouse/moves/move-rows.ts'
import { findWarehouse, type WarehouseRow } from '../../access/warehouse/queries.ts'
import { freeShare } from '../../access/warehouse/servers/choose-server.ts'
import { findServer, getServer, type ServerRow } from '../../access/warehouse/servers/server-rows.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { badField, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'

type MoveRequestServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'secrets' | 'store' | 'warehouse'
>

export interface MoveRequest {
  readonly serverId: string
  readonly keepsReadable: boolean
}

/** Throws `settingsWrong` if the warehouse cannot move there. Without a stable host everyone with a login is informed. */
export async function requestMove(
  services: MoveRequestServices,
  auditContext: OrganisationContext,
  { serverId, keepsReadable }: MoveRequest,
): Promise<void> {
  if (keepsReadable && services.config.warehouseHost !== null)
    throw badField('keepsReadable', 'is only for warehouses without a stable host')
  const { organisationId } = auditContext
  // Across: servers belong to no organisation.
  const { move, names } = await services.store.across(async (db) => {
    const found = await requireWarehouse(db, organisationId)
    const to = requireFound(await findServer(db, serverId))
    await requirePlace(db, found, to)
    const from = await getServer(db, found.serverId)
    const requestedAt = isoTime(services.clock.now())
    const values = { organisationId, fromServer: from.id, toServer: to.id, keepsReadable, requestedAt }
    const inserted = await db
      .insertInto('warehouseMove')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(toMovingAlready)
    const object = { type: 'warehouse', id: found.databaseName }
    const detail = { before: from.name, after: to.name }
    await services.audit.record(db, auditContext, { action: 'warehouse.move_requested', object, detail })
    return { move: inserted, names: found }
  })
  await mailBeforeMove(services, move, names)
}

async function requireWarehouse(db: Db, organisationId: string): Promise<WarehouseRow> {
  const names = await findWarehouse(db, organisationId)
  if (names === undefined)
    throw detailedFault('settingsWrong', 'The organisation has no warehouse yet. Set its region instead.')
  return names
}

async function requirePlace(db: Db, { organisationId, serverId }: WarehouseRow, to: ServerRow): Promise<void> {
  const { dataRegion } = await db
    .selectFrom('organisation')
    .select('dataRegion')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  const kept = await listKeptCopies(db, organisationId)
  if (serverId === to.id) throw detailedFault('settingsWrong', `The warehouse is on ${to.name} already.`)
  if (dataRegion !== null && to.region !== dataRegion)
    throw detailedFault('settingsWrong', `The warehouse must be in the region ${dataRegion}, and ${to.name} is not.`)
  if (!to.acceptsNew || freeShare(to) === 0)
    throw detailedFault('settingsWrong', `${to.name} accepts no further warehouses, or has no room for one.`)
  if (kept.some(({ fromServer }) => fromServer === to.id))
    throw detailedFault('settingsWrong', `${to.name} still has the old copy of this warehouse. Delete it first.`)
}

function toMovingAlready(error: unknown): never {
  throw isUniqueViolation(error) ? detailedFault('settingsWrong', 'The warehouse is being moved already.') : error
}

/** Throws `notFound` if the warehouse has never moved, and `settingsWrong` after the switch. */
export async function cancelMove(
  { audit, clock, store }: MoveRequestServices,
  auditContext: OrganisationContext,
): Promise<void> {
  const { organisationId } = auditContext
  await store.within(organisationId, async (db) => {
    const move = requireFound(await findMove(db, organisationId))
    if (!['COPYING', 'HOLDING', 'VERIFYING'].includes(move.state))
      throw detailedFault(
        'settingsWrong',
        'There is no move that could be cancelled. After the switch, move the warehouse back.',
      )
    await changeRow(db, move, { cancelRequestedAt: isoTime(clock.now()), retryAt: null })
    const object = { type: 'warehouse', id: (await requireWarehouse(db, organisationId)).databaseName }
    await audit.record(db, auditContext, { action: 'warehouse.move_cancelled', object })
  })
}

/** Throws `notFound` if there is no such copy. */
export async function dropOldCopy(
  { clock, store }: MoveRequestServices,
  { organisationId }: OrganisationContext,
): Promise<void> {
  await store.within(organisationId, async (db) => {
    const kept = requireFound((await listKeptCopies(db, organisationId))[0])
    await changeRow(db, kept, { dropAt: isoTime(clock.now()), retryAt: null })
  })
}

async function changeRow(
  db: Db,
  { organisationId, id }: MoveRow,
  change: Partial<Pick<MoveRow, 'cancelRequestedAt' | 'dropAt' | 'retryAt'>>,
): Promise<void> {
  await db
    .updateTable('warehouseMove')
    .set(change)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}
