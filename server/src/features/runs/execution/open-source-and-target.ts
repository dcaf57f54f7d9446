/** Opens the source and the target of a run. Faults say which of the two is unreachable. */
import { combineCompanies } from '@tributary/engine/companies/combine-companies'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { OpenSource, ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { requireSource } from '../../../connections/connectors/connector-types.ts'
import { chooseSchema } from '../../../connections/databases/database-credentials.ts'
import { openTarget as open } from '../../../connections/databases/open-target.ts'
import type { SourceCredentials } from '../../../connections/oauth/oauth.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import { targetUnreachable } from './outcome.ts'

export interface RunTargetOptions {
  readonly organisationId: string
  readonly connectorKey: string
  readonly settings: ConnectorProperties
}

interface RunSource {
  readonly type: string
  readonly settings: ConnectorProperties
  readonly lent: SourceCredentials
  readonly log: (line: string) => void
}

/** One source, or those of several companies as one. */
export async function openSource(
  { type, settings, lent, log }: RunSource,
  around: ConnectionContext,
): Promise<OpenSource> {
  const source = requireSource(type)
  const open = async ({ properties, context }: SourceCredentials): Promise<OpenSource> =>
    source.open(source.parse({ ...settings, ...properties }), { ...around, ...context })
  if (lent.companies === undefined) return open(lent)
  const { chosen, kept } = lent.companies
  return await combineCompanies({
    companies: chosen.map(({ provide, ...company }) => ({ ...company, open: async () => open(provide()) })),
    kept,
    log,
    signal: around.signal,
  })
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
