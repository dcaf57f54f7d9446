/** Starts, cancels and ends moves of warehouses. A worker does the work. */
import { Fault } from '@tributary/engine/ports/faults'
import type { AppServices } from '../../app-services.ts'
import { openCopySession } from '../../access/warehouse/moves/copy-session.ts'
import { mailBeforeMove } from '../../access/warehouse/moves/move-emails.ts'
import { findMove, listKeptCopies, type MoveRow } from '../../access/warehouse/moves/move-rows.ts'
import { requireMovable, requireServer } from '../../access/warehouse/moves/new-copy.ts'
import { findWarehouse, type WarehouseRow } from '../../access/warehouse/queries.ts'
import { freeShare } from '../../access/warehouse/servers/choose-server.ts'
import { serverOf } from '../../access/warehouse/servers/server-of.ts'
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

/** Reading the catalogue of a warehouse takes less than a second. */
const answerMs = 30_000

export interface MoveRequest {
  readonly serverId: string
  readonly keepsReadable: boolean
}

/**
 * Throws `settingsWrong` if the warehouse cannot move there, or something in it would be lost. Without a stable host everyone with a login
 * is informed.
 */
export async function requestMove(
  services: MoveRequestServices,
  auditContext: OrganisationContext,
  { serverId, keepsReadable }: MoveRequest,
): Promise<void> {
  if (keepsReadable && services.config.warehouseHost !== null)
    throw badField('keepsReadable', 'is only for warehouses without a stable host')
  const { organisationId } = auditContext
  // Across, here and below: servers belong to no organisation.
  const { names, from, to } = await services.store.across(async (db) => {
    const found = await requireWarehouse(db, organisationId)
    const server = requireFound(await findServer(db, serverId))
    await requirePlace(db, found, server)
    return { names: found, from: await getServer(db, found.serverId), to: server }
  })
  await requireNothingLost(services, names, to)
  const move = await services.store.across(async (db) => {
    const requestedAt = isoTime(services.clock.now())
    const values = { organisationId, fromServer: from.id, toServer: to.id, keepsReadable, requestedAt }
    const inserted = await db
      .insertInto('warehouseMove')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(toMovingAlready)
    const object = { type: 'warehouse', id: names.databaseName }
    const detail = { before: from.name, after: to.name }
    await services.audit.record(db, auditContext, { action: 'warehouse.move_requested', object, detail })
    return inserted
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

/** Asks both servers before anyone is informed of a move that could not begin. */
async function requireNothingLost(services: MoveRequestServices, names: WarehouseRow, to: ServerRow): Promise<void> {
  const servers = { from: await serverOf(services, names), to: await serverOf(services, { serverId: to.id }) }
  try {
    await requireServer(servers)
    await using session = await openCopySession(servers.from, names, AbortSignal.timeout(answerMs))
    await requireMovable(session.client, names)
  } catch (error) {
    if (error instanceof Fault) throw detailedFault('settingsWrong', error.notice)
    const reason = error instanceof Error ? error.message : String(error)
    throw detailedFault('settingsWrong', `The servers could not be asked whether the warehouse can move: ${reason}`)
  }
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
