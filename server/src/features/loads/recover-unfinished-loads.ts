/** Loads that began to write and were not heard of since: what the target says of their slices decides how they ended. */
import { type AuditContext, systemAuditContext, withActor } from '../../kernel/audit-context.ts'
import type { Audit } from '../../security/audit/audit.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { dropRows, endLoad, findLoad, listCommitting } from './queries.ts'
import { listSlices } from './slice-queries.ts'
import { readSlices } from './load-table-rows.ts'
import { type OpenTable, type TableOf, withFreeTable, type LoadTableServices } from './load-table.ts'

export type LoadRecoveryServices = Pick<AppServices, 'audit' | 'store'> & LoadTableServices

/** In one's turn, so that none of them is still at it. */
export async function settleLeftOver(
  { audit, store }: Pick<AppServices, 'audit' | 'store'>,
  organisationId: string,
  table: OpenTable,
): Promise<void> {
  const left = await store.within(organisationId, (db) => listCommitting(db, organisationId, table.record))
  for (const { userId, ...load } of left) {
    const { id } = load
    const slices = await store.within(organisationId, (db) => listSlices(db, organisationId, [id]))
    const ids = slices.map(({ sliceId }) => sliceId)
    const written = await readSlices(table, ids)
    // All of them are written in one transaction: one tells for all.
    const isWritten = ids.some((sliceId) => written.get(sliceId)?.loadId === id)
    // Theirs, whoever looks now.
    const auditContext = withActor({ ...systemAuditContext, organisationId }, { userId })
    const loaded = { auditContext, load: { ...load, slices: ids.length } }
    await store.within(organisationId, (db) =>
      isWritten ? keepLoaded(db, audit, loaded) : keepFailed(db, organisationId, id),
    )
  }
}

export interface Loaded {
  readonly auditContext: AuditContext<string>
  readonly load: {
    readonly id: string
    readonly undoes: string | null
    readonly tableName: string
    readonly rows: number
    readonly slices: number
  }
}

/** The rows are in the table: the receipt and the audit log say so. */
export async function keepLoaded(db: Db, audit: Audit, { auditContext, load }: Loaded): Promise<void> {
  const { organisationId } = auditContext
  const { id, undoes, tableName, rows, slices } = load
  await endLoad(db, organisationId, id, 'LOADED')
  if (undoes !== null) await endLoad(db, organisationId, undoes, 'UNDONE')
  await dropRows(db, organisationId, id)
  const action = undoes === null ? 'load.committed' : 'load.undone'
  const detail = { table: tableName, rows, slices, ...(undoes !== null && { undoes }) }
  await audit.record(db, auditContext, {
    action,
    outcome: 'success',
    object: { type: 'load', id },
    detail,
  })
}

async function keepFailed(db: Db, organisationId: string, loadId: string): Promise<void> {
  await endLoad(db, organisationId, loadId, 'FAILED')
  await dropRows(db, organisationId, loadId)
}

interface Settling {
  readonly of: TableOf
  /** Looked at once writing has failed: before, there may be none. */
  readonly load: { readonly id: string }
}

/**
 * Where writing failed and nobody knows how far it had come, the target is asked at once; a load that turns out to be in
 * has not failed. What cannot be told now is told to whoever looks next.
 */
export async function orSettled(
  services: LoadRecoveryServices,
  { of, load }: Settling,
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
      await withFreeTable(services, of, (table) => settleLeftOver(services, organisationId, table))
      if ((await statusNow()) === 'LOADED') return
    } catch {
      throw error
    }
    throw error
  }
}
