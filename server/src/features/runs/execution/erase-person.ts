/** A run of mode `erase`: clears a person in history. It opens the target alone, because the source is not needed. */
import { Fault } from '@tributary/engine/ports/faults'
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import type { AppServices } from '../../../app-services.ts'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { applyDefaultTarget } from '../../../connections/databases/database-credentials.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { countPerson } from '../../../connections/history/count-person.ts'
import {
  completeErasure,
  type FoundPerson,
  getErasureOfRun,
  readSearchedValue,
  storeFound,
} from '../../../connections/history/history-erasures.ts'
import { listMarks, type ShownMark } from '../../../connections/history/shown-marks.ts'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { openTarget } from './open-run-target.ts'
import type { ProgressReport } from './progress.ts'

export interface ErasureOptions {
  readonly services: Pick<AppServices, 'audit' | 'clock' | 'network' | 'rateLimiters' | 'secrets' | 'store'>
  readonly claim: RunClaim
  readonly progress: ProgressReport
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
}

/** The outcome of a run that moves no rows. */
export const nothingMoved: SyncOutcome = {
  status: 'completed',
  fault: null,
  streams: [],
  removedStreams: [],
  tieOut: null,
  closedPeriods: null,
  marks: [],
  offer: null,
}

/**
 * Resumable: what is found is stored before it is cleared, so an attempt after a crash reports the same figures. Between two attempts
 * nothing else writes, because a connector has one unfinished run.
 */
export async function runErasure(options: ErasureOptions): Promise<SyncOutcome> {
  const { services, claim, progress, signal, warehouseTarget } = options
  const { organisationId, connectorId, connectorKey, runId, fence } = claim
  const { settings, erasure, value, marks } = await services.store.within(organisationId, (db) =>
    readErasure(db, services, claim),
  )
  if (erasure.completedAt !== null) return nothingMoved
  if (value === undefined) throw valueIsGone
  const around = { network: services.network, clock: services.clock, rateLimiters: services.rateLimiters, signal }
  await using target = await openTarget({ organisationId, connectorKey, settings }, around, warehouseTarget)
  await target.begin({ connectorId, runId, fence })
  const searches = erasure.searches.map((each) => ({ ...each, connectorId, value }))
  const found = erasure.found ?? (await count(target, searches, marks))
  const store = (counted: FoundPerson | null) =>
    services.store.within(organisationId, (db) => storeFound(db, claim, counted))
  await store(found)
  try {
    await target.erasePerson(searches, marks.flatMap(viewsOfAmounts))
  } catch (error) {
    // The target has refused it, and no earlier attempt has come as far. Otherwise the transaction may have been committed.
    if (erasure.found === null && error instanceof Fault && error.kind === 'settings') await store(null)
    throw error
  }
  await services.store.within(organisationId, async (db) => {
    await completeErasure(db, claim)
    const versions = found.tables.reduce((sum, each) => sum + each.versions, 0)
    await services.audit.record(db, systemAuditContext, {
      organisationId,
      action: 'connector.person_erased',
      object: { type: 'connector', id: connectorId },
      detail: { runId, table: erasure.table, column: erasure.column, versions, marks: found.marks.length },
    })
  })
  for (const { name, versions } of found.tables)
    progress.log(`${name}: ${versions.toLocaleString('en-GB')} row ${versions === 1 ? 'version' : 'versions'} cleared.`)
  return nothingMoved
}

const valueIsGone = new Fault('settings', {
  code: 'erasure.value_is_gone',
  notice: 'The value that identifies the person is not kept any more. Erase the person again.',
})

async function readErasure(db: Db, { secrets }: Pick<AppServices, 'secrets'>, claim: RunClaim) {
  const erasure = await getErasureOfRun(db, claim)
  return {
    erasure,
    settings: await applyDefaultTarget(db, secrets, claim, await decryptSettings(db, secrets, claim)),
    value: await readSearchedValue(db, secrets, claim.organisationId, erasure.id),
    marks: await listMarks(db, claim, claim.type),
  }
}

async function count(
  target: OpenTarget,
  searches: Parameters<typeof countPerson>[1],
  marks: readonly ShownMark[],
): Promise<FoundPerson> {
  const counted = await countPerson(target, searches, marks)
  return {
    tables: counted.tables.map(({ table, name, versions }) => ({ table, name, versions })),
    marks: counted.marks.map(({ mark, versions }) => ({ markId: mark.id, versions })),
  }
}

/** A trial balance names no person, so an erasure must not change it. */
function viewsOfAmounts({ views }: ShownMark): readonly string[] {
  return views.filter((name) => name.endsWith('trial_balance'))
}
