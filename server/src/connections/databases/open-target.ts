/** Opens the target database that the settings name, or the organisation's schema in the built-in warehouse. */
import type { ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { chooseTarget, warehouseKind } from '../connectors/connector-types.ts'
import type { WarehouseTarget } from './warehouse-server.ts'

export interface TargetLocation {
  readonly organisationId: string
  readonly settings: ConnectorProperties
  /** The schema in the warehouse; unused for other targets. */
  readonly schema: string
}

export async function openTarget(
  { organisationId, settings, schema }: TargetLocation,
  context: ConnectionContext,
  warehouseTarget: WarehouseTarget,
): Promise<OpenTarget> {
  const chosen = chooseTarget(settings)
  if (chosen !== null) return chosen.open(chosen.parse(settings), context)
  const own = await warehouseTarget(organisationId, schema)
  return warehouseKind.open(warehouseKind.parse(own.settings), { ...context, network: own.network })
}

/** Describes for a person where the tables are. */
export function describeTarget({ settings, schema }: Pick<TargetLocation, 'settings' | 'schema'>): string {
  if (chooseTarget(settings) === null) return `Tributary’s own warehouse, schema ${schema}`
  const { host, database, uri, ...others } = settings['target.connectionString'] as Readonly<Record<string, string>>
  const named = settings['target.schema']
  if (uri !== undefined) return `The Iceberg catalog ${uri}, namespace ${String(named)}`
  const location = `${database ?? others['initial catalog']} on ${host ?? others['data source']}`
  return typeof named === 'string' && named !== '' ? `${location}, schema ${named}` : location
}
