/** Finds which connectors load which database, and opens the one of a set. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { AppServices } from '../../app-services.ts'
import { decryptSettings } from '../../connections/connectors/connector-settings.ts'
import { applyDefaultTarget, chooseSchema } from '../../connections/databases/database-credentials.ts'
import { openTarget } from '../../connections/databases/open-target.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { chooseTarget } from '../../connections/connectors/connector-types.ts'
import { identifyTarget, type TargetDatabase } from '../../connections/publications/target-database.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { DecidedPublication } from './decide-publication.ts'
import { listConnected } from './queries.ts'

export interface LoadingConnector {
  readonly connectorId: string
  readonly connectorKey: string
  readonly name: string
  readonly type: string
  readonly target: TargetDatabase
  readonly settings: ConnectorProperties
}

/** The connected connectors, each with the database that it loads. */
export async function listLoadingConnectors(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  organisationId: string,
): Promise<readonly LoadingConnector[]> {
  const found: LoadingConnector[] = []
  for (const connector of await listConnected(db, organisationId)) {
    const location = { organisationId, connectorId: connector.connectorId }
    const chosen = await decryptSettings(db, secrets, location)
    const settings = await applyDefaultTarget(
      db,
      secrets,
      { ...location, connectorKey: connector.connectorKey },
      chosen,
    )
    // A target that has rows only cannot be published.
    if (chooseTarget(settings)?.facts.storesTablesOnly === true) continue
    found.push({ ...connector, settings, target: identifyTarget(organisationId, settings) })
  }
  return found
}

/** Null if no connector loads the database any more, whose settings would be needed. */
export async function openPublishingTarget(
  services: Pick<AppServices, 'clock' | 'network' | 'secrets' | 'store'>,
  {
    decided: { organisationId, setId, kind },
    warehouseTarget,
    signal,
  }: { readonly decided: DecidedPublication; readonly warehouseTarget: WarehouseTarget; readonly signal: AbortSignal },
): Promise<OpenTarget | null> {
  const { network, clock } = services
  const around = { network, clock, signal }
  if (kind === 'warehouse')
    return await openTarget({ organisationId, settings: {}, schema: 'published' }, around, warehouseTarget)
  const loading = await services.store.within(organisationId, (db) =>
    listLoadingConnectors(db, services, organisationId),
  )
  const found = loading.find(({ target }) => target.id === setId)
  if (found === undefined) return null
  const { settings, connectorKey } = found
  return await openTarget(
    { organisationId, settings, schema: chooseSchema(settings, connectorKey) },
    around,
    warehouseTarget,
  )
}
