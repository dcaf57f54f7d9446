/** The steps of a move. Each can be repeated, and returns the row with the next state. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import { isoTime } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { applyAccess } from '../../logins/apply-access.ts'
import { getWarehouse, lockWarehouse, type WarehouseRow } from '../queries.ts'
import { readerAddressOf } from '../servers/reader-address.ts'
import { serverOf } from '../servers/server-of.ts'
import { readWriterPassword } from '../warehouse.ts'
import { becomeOnlyWriter, openCopySession } from './copy-session.ts'
import { copyTables, type CopyPair } from './copy-tables.ts'
import type { HeldMove } from './held-move.ts'
import { holdWriters, releaseWriter } from './hold-writers.ts'
import { mailAfterMove, prepareMailAfterEnd } from './move-emails.ts'
import { changeMove, type MoveChange, type MoveRow } from './move-rows.ts'
import {
  completeCopy,
  createSchemas,
  type MoveServers,
  openReader,
  prepareCopy,
  refused,
  requireMovable,
  requireServer,
  verifyCopy,
} from './new-copy.ts'
import { closeOldCopy, dropCopy } from './old-copy.ts'

const dayMs = 86_400_000

function change({ services, move }: HeldMove, values: MoveChange): Promise<MoveRow> {
  return services.store.within(move.organisationId, (db) => changeMove(db, move, values))
}

async function serversOf({ services, move }: HeldMove): Promise<MoveServers> {
  return {
    from: await serverOf(services, { serverId: move.fromServer }),
    to: await serverOf(services, { serverId: move.toServer }),
  }
}

function readNames({ services, move }: HeldMove): Promise<WarehouseRow> {
  return services.store.within(move.organisationId, (db) => getWarehouse(db, move.organisationId))
}

/** Copies while runs continue: once all, then what has changed meanwhile, so that little is left for the time in which they wait. */
export async function copyStep(held: HeldMove): Promise<MoveRow> {
  const { services, move } = held
  const servers = await serversOf(held)
  const names = await readNames(held)
  const password = await readWriterPassword(services, move.organisationId)
  await requireServer(servers)
  await prepareCopy(servers, names, password)
  await withCopyPair(held, servers, names, async (pair) => {
    await requireMovable(pair.from, names)
    await createSchemas(pair)
    await copyAll(held, pair)
    await createSchemas(pair)
    await copyAll(held, pair)
  })
  return await services.store.within(move.organisationId, async (db) => {
    const heldAt = isoTime(services.clock.now())
    await setHeld(db, move.organisationId, heldAt)
    return await changeMove(db, move, { state: 'HOLDING', heldAt, notice: null })
  })
}

/** Copies the last changes while nothing writes. */
export async function holdStep(held: HeldMove): Promise<MoveRow> {
  const { services, signal, patienceMs } = held
  const servers = await serversOf(held)
  const names = await readNames(held)
  await holdWriters(services.store, servers.from, names, { patienceMs, signal })
  await withCopyPair(held, servers, names, async (pair) => {
    await requireMovable(pair.from, names)
    await createSchemas(pair)
    await copyAll(held, pair)
    await completeCopy(pair, { store: services.store, to: servers.to }, names)
  })
  return await change(held, { state: 'VERIFYING' })
}

/** Compares both copies, and puts the organisation on the new server if they are equal. Throws a `settings` Fault otherwise. */
export async function verifyStep(held: HeldMove): Promise<MoveRow> {
  const { services, move } = held
  const { organisationId } = move
  const servers = await serversOf(held)
  const names = await readNames(held)
  const verified = await withCopyPair(held, servers, names, verifyCopy)
  if (verified.differences.length > 0)
    throw refused(
      `The copy differs from the warehouse in ${verified.differences.join(', ')}, so the warehouse stays where it is. Start the move again, or ask the operator what changed the copy.`,
    )
  await openReader(servers, names)
  return await services.store.within(organisationId, async (db) => {
    const now = await lockWarehouse(db, organisationId)
    if (now.readerVerifier !== names.readerVerifier || now.readerDisabledAt !== names.readerDisabledAt)
      throw new Error('The shared login has changed meanwhile.')
    await db
      .updateTable('warehouse')
      .set({ serverId: move.toServer })
      .where('organisationId', '=', organisationId)
      .execute()
    const { tables, rows } = verified
    await record(held, db, 'warehouse.moved', { before: move.fromServer, after: move.toServer, tables, rows })
    return await changeMove(db, move, { state: 'SWITCHED', switchedAt: isoTime(services.clock.now()) })
  })
}

/** Closes the old copy, and only then lets runs write to the new one: no one reads rows that are older than those of the new server. */
export async function finishStep(held: HeldMove): Promise<MoveRow> {
  const { services, move, graceMs } = held
  const { organisationId, keepsReadable } = move
  const { from } = await serversOf(held)
  const names = await readNames(held)
  const since = move.switchedAt ?? isoTime(services.clock.now())
  const { host, port } = await readerAddressOf(services, names)
  await closeOldCopy(from, names, { since, host, port }, { keepsReadable, graceMs })
  await applyAccess(services, organisationId)
  await mailAfterMove(services, move, names)
  return await services.store.within(organisationId, async (db) => {
    await setHeld(db, organisationId, null)
    const dropAt = isoTime(services.clock.now() + dayMs)
    return await changeMove(db, move, { state: 'KEPT', dropAt, heldAt: null, notice: null })
  })
}

export async function dropStep(held: HeldMove): Promise<MoveRow> {
  const { services, move } = held
  const { from } = await serversOf(held)
  const names = await readNames(held)
  if (names.serverId === move.fromServer) throw new Error('The warehouse is on this server.')
  await dropCopy(from, names)
  return await services.store.within(move.organisationId, async (db) => {
    await record(held, db, 'warehouse.old_copy_dropped', { before: move.fromServer })
    return await changeMove(db, move, { state: 'DONE', endedAt: isoTime(services.clock.now()), notice: null })
  })
}

/** Ends the move before the switch: the warehouse stays where it is, and the new copy is dropped. */
export async function endEarly(held: HeldMove, state: 'FAILED' | 'CANCELLED', notice: string | null): Promise<void> {
  const { services, move } = held
  const { to } = await serversOf(held)
  const names = await readNames(held)
  await letWritersContinue(held)
  if (names.serverId === move.toServer) throw new Error('The warehouse is on this server.')
  await dropCopy(to, names).catch((error: unknown) =>
    services.log.warn('the copy of a move that has ended could not be dropped', { error }),
  )
  const mail = await prepareMailAfterEnd(services, move, names, state)
  // Across: emails belong to no organisation.
  await services.store.across(async (db) => {
    if (state === 'FAILED')
      await record(held, db, 'warehouse.move_failed', { after: move.toServer, reason: notice ?? '' })
    await changeMove(db, move, { state, notice, endedAt: isoTime(services.clock.now()) })
    await mail(db)
  })
}

/** Writers continue on the old server. A move that has not ended starts over with what is copied. */
export async function letWritersContinue(held: HeldMove): Promise<void> {
  const { services, move } = held
  const names = await readNames(held)
  if (names.writersHeldAt === null) return
  const { from } = await serversOf(held)
  await releaseWriter(from, names)
  await services.store.within(move.organisationId, async (db) => {
    await setHeld(db, move.organisationId, null)
    await changeMove(db, move, { state: 'COPYING', heldAt: null })
  })
}

async function setHeld(db: Db, organisationId: string, writersHeldAt: string | null): Promise<void> {
  await db.updateTable('warehouse').set({ writersHeldAt }).where('organisationId', '=', organisationId).execute()
}

/** Opens both databases. Only this worker writes the new one. */
async function withCopyPair<T>(
  { signal }: HeldMove,
  { from, to }: MoveServers,
  names: WarehouseRow,
  work: (pair: CopyPair) => Promise<T>,
): Promise<T> {
  await using old = await openCopySession(from, names, signal)
  await using next = await openCopySession(to, names, signal)
  await becomeOnlyWriter(next, names)
  return await work({ from: old.client, to: next.client, names })
}

async function copyAll(held: HeldMove, pair: CopyPair): Promise<void> {
  const { signal } = held
  const { rowsCopied: before } = await change(held, {})
  await copyTables(pair, async ({ tablesTotal, tablesDone, rowsCopied }) => {
    signal.throwIfAborted()
    await change(held, { tablesTotal, tablesDone, rowsCopied: before + rowsCopied })
  })
}

async function record(
  { services, move }: HeldMove,
  db: Db,
  action: Extract<AuditAction, `warehouse.${string}`>,
  detail: Readonly<Record<string, string | number>>,
): Promise<void> {
  const { organisationId } = move
  const { databaseName } = await getWarehouse(db, organisationId)
  const object = { type: 'warehouse', id: databaseName }
  await services.audit.record(db, systemAuditContext, { organisationId, action, object, detail })
}
