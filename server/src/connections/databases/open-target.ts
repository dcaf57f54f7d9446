/** Opens the database that settings name as the target, or the organisation's place in the product's own warehouse. */
import type { ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { chooseTarget, warehouseKind } from '../connectors/connector-types.ts'
import type { WarehouseTarget } from './warehouse-server.ts'

export interface TargetLocation {
  readonly organisationId: string
  readonly settings: ConnectorProperties
  /** Where in the warehouse, if it is that. */
  readonly schema: string
}

export async function openTarget(
  { organisationId, settings, schema }: TargetLocation,
  around: ConnectionContext,
  warehouseTarget: WarehouseTarget,
): Promise<OpenTarget> {
  const chosen = chooseTarget(settings)
  if (chosen !== null) return chosen.open(chosen.parse(settings), around)
  const own = await warehouseTarget(organisationId, schema)
  return warehouseKind.open(warehouseKind.parse(own.settings), { ...around, network: own.network })
}

/** For people: where the tables are. */
export function describeTarget({ settings, schema }: Pick<TargetLocation, 'settings' | 'schema'>): string {
  if (chooseTarget(settings) === null) return `Tributary’s own warehouse, schema ${schema}`
  const { host, database, ...others } = settings['target.connectionString'] as Readonly<Record<string, string>>
  const named = settings['target.schema']
  const place = `${database ?? others['initial catalog']} on ${host ?? others['data source']}`
  return typeof named === 'string' && named !== '' ? `${place}, schema ${named}` : place
}
