/** One try of a run: opens both sides with the connector's settings and lets the engine move the rows. */
import type { Network } from '@tributary/engine/network'
import type { OpenSource, Properties, Surroundings } from '@tributary/engine/source'
import type { OpenTarget } from '@tributary/engine/target'
import type { SyncOutcome } from '@tributary/engine/sync/request'
import { sync } from '@tributary/engine/sync/run'
import { chooseTarget, requireSource, warehouseKind } from '../../platform/connector-kinds.ts'
import { openSettings } from '../../platform/connector-settings.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Claim } from './claim.ts'
import type { ProgressReport } from './progress.ts'

/** How to write into the organisation's own warehouse, made where there is none yet. */
type WarehouseTarget = (organisationId: string, schema: string) => Promise<{ settings: Properties; network: Network }>

export interface MoveOptions {
  readonly parts: Parts
  readonly claim: Claim
  readonly progress: ProgressReport
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
}

export async function move({ parts, claim, progress, signal, warehouseTarget }: MoveOptions): Promise<SyncOutcome> {
  const { organisationId, connectorId, runId, fence } = claim
  const settings = await parts.store.within(organisationId, (db) => openSettings(db, parts.secrets, { organisationId, connectorId }))
  const around = { network: parts.network, clock: parts.clock, signal }
  await using source = await openSource(claim, settings, around)
  await using target = await openTarget(claim, settings, { around, warehouseTarget })
  return await sync({
    source,
    target,
    writer: { connectorId, runId, fence },
    wish: claim.mode,
    report: (stream) => progress.report(stream),
    tell: (line) => progress.line(line),
    clock: parts.clock,
    signal,
  })
}

function openSource({ type }: Claim, settings: Properties, around: Surroundings): Promise<OpenSource> {
  const source = requireSource(type)
  return source.open(source.parse(settings), around)
}

async function openTarget(
  { organisationId, connectorKey }: Claim,
  settings: Properties,
  { around, warehouseTarget }: { around: Surroundings; warehouseTarget: WarehouseTarget },
): Promise<OpenTarget> {
  const chosen = chooseTarget(settings)
  if (chosen !== null) return chosen.open(chosen.parse(settings), around)
  const wished = settings['target.schema']
  const schema = typeof wished === 'string' && wished !== '' ? wished : schemaOf(connectorKey)
  const own = await warehouseTarget(organisationId, schema)
  return warehouseKind.open(warehouseKind.parse(own.settings), { ...around, network: own.network })
}

/** A name that SQL takes without quotes and PostgreSQL does not keep for itself. */
function schemaOf(connectorKey: string): string {
  const name = connectorKey.replaceAll('-', '_')
  return /^(?:[0-9]|pg_|public$|information_schema$)/.test(name) ? `_${name}` : name
}
