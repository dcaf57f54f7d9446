/** The connectors that an assistant may ask about. */
import { type Overview, overview } from '@tributary/contract/overview'
import { listAssistantConnectors } from '../../access/assistants/switches.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { name, type ToolCall } from './tool.ts'

type OverviewConnector = Overview['Connectors'][number]

export interface SeenConnector {
  readonly health: OverviewConnector
  /** Whether assistants may read what its source contains. Its state and its runs are known to them either way. */
  readonly isOpen: boolean
}

export interface SeenConnectors {
  readonly connectors: readonly SeenConnector[]
  readonly incidents: Overview['Incidents']
}

/** Those that need help first. Throws `notFound` for a connector that the person may not see. */
export async function listSeenConnectors(call: ToolCall, onlyId?: string): Promise<SeenConnectors> {
  const { organisationId } = call.auditContext
  const { Connectors, Incidents } = await call.read(overview.read)
  const open = new Set(
    await call.services.store.within(organisationId, (db) => listAssistantConnectors(db, organisationId)),
  )
  const found = Connectors.filter(({ Id }) => onlyId === undefined || Id === onlyId)
  if (onlyId !== undefined && found.length === 0) throw new ApiFault('notFound')
  return {
    connectors: found.map((health) => ({ health, isOpen: open.has(health.Id) })),
    // Those of actions belong to no connector.
    incidents: Incidents.filter(({ ConnectorId }) =>
      ConnectorId === null ? onlyId === undefined : found.some(({ Id }) => Id === ConnectorId),
    ),
  }
}

export function describeConnector({ health }: SeenConnector) {
  return { id: health.Id, name: name(health.Name), source: health.Type }
}

/** What is said instead of the content of a source that is closed to assistants. */
export const closedNotice =
  'This source is closed to assistants. An administrator of the organisation decides that under Admin, Programs, Assistants.'
