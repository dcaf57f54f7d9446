/** Opens the target of a run. Its faults differ from those of the source. */
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { chooseSchema } from '../../../connections/databases/database-credentials.ts'
import { openTarget as open } from '../../../connections/databases/open-target.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { targetUnreachable } from './outcome.ts'

export interface RunTargetOptions {
  readonly organisationId: string
  readonly connectorKey: string
  readonly settings: ConnectorProperties
}

export function openTarget(
  { organisationId, connectorKey, settings }: RunTargetOptions,
  around: ConnectionContext,
  warehouseTarget: WarehouseTarget,
): Promise<OpenTarget> {
  const connection = { organisationId, settings, schema: chooseSchema(settings, connectorKey) }
  return open(connection, { ...around, network: labelTargetFaults(around.network) }, warehouseTarget)
}

/** A failed connection does not show which side it belongs to, so faults of the target get a code of their own. */
function labelTargetFaults(network: Network): Network {
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
