/** Opens the two ends of a run with the connector's settings, and tells which of them does not answer. */
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { OpenSource, ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { requireSource } from '../../../connections/connectors/connector-types.ts'
import { ownSchema } from '../../../connections/databases/database-credentials.ts'
import { openTarget as open } from '../../../connections/databases/open-target.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { targetUnreachable } from './outcome.ts'

export interface TargetOf {
  readonly organisationId: string
  readonly connectorKey: string
  readonly settings: ConnectorProperties
}

export function openSource(
  type: string,
  settings: ConnectorProperties,
  around: ConnectionContext,
): Promise<OpenSource> {
  const source = requireSource(type)
  return source.open(source.parse(settings), around)
}

export function openTarget(
  { organisationId, connectorKey, settings }: TargetOf,
  around: ConnectionContext,
  warehouseTarget: WarehouseTarget,
): Promise<OpenTarget> {
  const place = { organisationId, settings, schema: ownSchema(settings, connectorKey) }
  return open(place, { ...around, network: namingTarget(around.network) }, warehouseTarget)
}

/** Which end it was cannot be seen from a failed connection itself, so those of the target say so. */
function namingTarget(network: Network): Network {
  return {
    dial: async (...to) => {
      try {
        return await network.dial(...to)
      } catch (error) {
        if (!(error instanceof Fault) || error.kind !== 'passing') throw error
        throw new Fault('passing', {
          code: targetUnreachable,
          notice: `The target cannot be reached. ${error.notice}`,
          cause: error,
        })
      }
    },
  }
}
