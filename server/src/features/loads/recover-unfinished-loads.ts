/**
 * Recovers loads that began to write and did not record how they ended. The load id of their slices in the target
 * decides the outcome.
 */
import { systemAuditContext, withActor, type OrganisationContext } from '../../kernel/audit-context.ts'
import type { Audit } from '../../security/audit/audit.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { deleteLoadRows, endLoad, findLoad, listUnfinishedLoads } from './queries.ts'
import { listSlices } from './slice-queries.ts'
import { readSlices } from './load-table-rows.ts'
import { type OpenTable, type LoadTableReference, withTableIfUnlocked, type LoadTableServices } from './load-table.ts'

export type LoadRecoveryServices = Pick<AppServices, 'audit' | 'store'> & LoadTableServices

/** The caller holds the table lock, so none of these loads is still writing. */
export async function recoverUnfinishedLoads(
  { audit, store }: Pick<AppServices, 'audit' | 'store'>,
  organisationId: string,
  table: OpenTable,
): Promise<void> {
  const unfinished = await store.within(organisationId, (db) => listUnfinishedLoads(db, organisationId, table.record))
  for (const { userId, ...load } of unfinished) {
    const { id } = load
    const slices = await store.within(organisationId, (db) => listSlices(db, organisationId, [id]))
    const ids = slices.map(({ sliceId }) => sliceId)
    const written = await readSlices(table, ids)
    // All slices of a load are written in one transaction, so any one of them decides.
    const isWritten = ids.some((sliceId) => written.get(sliceId)?.loadId === id)
    // Attributed to the user who loaded, not to the user whose request triggers the recovery.
    const auditContext = withActor({ ...systemAuditContext, organisationId }, { userId })
    const loaded = { auditContext, load: { ...load, slices: ids.length } }
    await store.within(organisationId, (db) =>
      isWritten ? completeLoad(db, audit, loaded) : failLoad(db, organisationId, id),
    )
  }
}

export interface CompletedLoad {
  readonly auditContext: OrganisationContext
  readonly load: {
    readonly id: string
    readonly undoes: string | null
    readonly tableName: string
    readonly rows: number
    readonly slices: number
  }
}

/** Records a load whose rows are in the table: receipt, audit log, and clean-up of its buffered rows. */
export async function completeLoad(db: Db, audit: Audit, { auditContext, load }: CompletedLoad): Promise<void> {
  const { organisationId } = auditContext
  const { id, undoes, tableName, rows, slices } = load
  await endLoad(db, organisationId, id, 'LOADED')
  if (undoes !== null) await endLoad(db, organisationId, undoes, 'UNDONE')
  await deleteLoadRows(db, organisationId, id)
  const action = undoes === null ? 'load.committed' : 'load.undone'
  const detail = { table: tableName, rows, slices, ...(undoes !== null && { undoes }) }
  await audit.record(db, auditContext, { action, object: { type: 'load', id }, detail })
}

async function failLoad(db: Db, organisationId: string, loadId: string): Promise<void> {
  await endLoad(db, organisationId, loadId, 'FAILED')
  await deleteLoadRows(db, organisationId, loadId)
}

interface RecoveryTarget {
  readonly of: LoadTableReference
  /** Read only after a failed write; an undo sets the id during the write. */
  readonly load: { readonly id: string }
}

/**
 * Recovers a failed write at once if its outcome is unknown: a load whose rows turn out to be in the target has not
 * failed. If the
 * target is unreachable, a later request recovers it.
 */
export async function withRecovery(
  services: LoadRecoveryServices,
  { of, load }: RecoveryTarget,
  write: () => Promise<void>,
): Promise<void> {
  const { organisationId } = of
  const statusNow = async () =>
    (await services.store.within(organisationId, (db) => findLoad(db, organisationId, load.id)))?.status
  try {
    await write()
  } catch (error) {
    try {
      if ((await statusNow()) !== 'COMMITTING') throw error
      await withTableIfUnlocked(services, of, (table) => recoverUnfinishedLoads(services, organisationId, table))
      if ((await statusNow()) === 'LOADED') return
    } catch {
      throw error
    }
    throw error
  }
}
