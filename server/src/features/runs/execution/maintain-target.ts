/** A run of mode `maintain`: joins files of the target and removes old ones. It opens the target alone, because the source is not needed. */
import type { MaintainedTable } from '@tributary/engine/ports/maintenance'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { applyDefaultTarget } from '../../../connections/databases/database-credentials.ts'
import { lakeFolderOf } from '../../../connections/databases/lake-folder.ts'
import type { AppServices } from '../../../app-services.ts'
import { type ErasureOptions, nothingMoved } from './erase-person.ts'
import { openTarget } from './open-run-target.ts'
import type { ProgressReport } from './progress.ts'

interface MaintenanceOptions extends Omit<ErasureOptions, 'services'> {
  readonly services: ErasureOptions['services'] & Pick<AppServices, 'config'>
}

/** Each table is complete before the next begins, so an attempt after a crash repeats at most one. */
export async function runMaintenance(options: MaintenanceOptions): Promise<SyncOutcome> {
  const { services, claim, progress, signal, warehouseTarget } = options
  const { organisationId, connectorId, connectorKey, runId, fence } = claim
  const settings = await services.store.within(organisationId, async (db) =>
    applyDefaultTarget(db, services.secrets, claim, await decryptSettings(db, services.secrets, claim)),
  )
  const { network, clock, rateLimiters, config } = services
  const around = { network, clock, rateLimiters, signal, lakeFolder: lakeFolderOf(config, organisationId) }
  await using target = await openTarget({ organisationId, connectorKey, settings }, around, warehouseTarget)
  await target.begin({ connectorId, runId, fence })
  for await (const table of target.maintainTables?.() ?? []) logTable(progress, table)
  return nothingMoved
}

function logTable(progress: ProgressReport, maintained: MaintainedTable): void {
  const { table, joinedFiles, removedSnapshots, removedFiles, smallFilesLeft } = maintained
  progress.log(
    `${table}: ${joinedFiles} small files joined, ${removedSnapshots} old snapshots and ${removedFiles} unused files removed.`,
  )
  if (smallFilesLeft > 0)
    progress.log(
      `${table}: ${smallFilesLeft} small files are left, because joining them takes more than a daily run may read. No row is missing, but engines read the table more slowly. Ask your provider for the Spark job in deploy/spark, which the guide docs/grow.md describes.`,
      'warn',
    )
}
