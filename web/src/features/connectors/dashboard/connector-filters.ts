/** Filters, orders and layout of the dashboard's connectors, kept in the URL. */
import type { Connector } from '@tributary/contract/connectors'
import type { ListLayout } from '../../../ui/display/layout-switch.tsx'
import {
  connectorActivity,
  isActive,
  attentionReason,
  attentionReasons,
  lastTriggeredAt,
} from '../../../domain/connectors/connector-state.ts'
import { compareNames } from '../../../ui/formats.ts'

/** Filters by state, with the labels of their buttons. */
export const stateLabels = {
  needsYou: 'Needs attention',
  running: 'Running',
  completed: 'Up to date',
  never: 'Never started',
  off: 'Disconnected',
} as const
export type ConnectorFilterState = keyof typeof stateLabels

export const orderLabels = { name: 'Name', attention: 'Needs attention first', recent: 'Latest run first' } as const
export type ConnectorOrder = keyof typeof orderLabels

export function filterState(connector: Connector, now: number): ConnectorFilterState {
  if (!isActive(connector)) return 'off'
  if (attentionReason(connector, now) !== null) return 'needsYou'
  const activity = connectorActivity(connector.Log, now)
  return activity === 'running' || activity === 'never' ? activity : 'completed'
}

/** Number of connectors by state, without empty states. */
export function countStates(connectors: readonly Connector[], now: number): Map<ConnectorFilterState, number> {
  const found = connectors.map((connector) => filterState(connector, now))
  const names = Object.keys(stateLabels) as ConnectorFilterState[]
  return new Map(
    names.flatMap((state) => (found.includes(state) ? [[state, found.filter((each) => each === state).length]] : [])),
  )
}

export function sortConnectors(connectors: readonly Connector[], order: ConnectorOrder, now: number): Connector[] {
  const byName = connectors.toSorted((a, b) => compareNames(a.Name, b.Name))
  if (order === 'attention') return byName.toSorted((a, b) => attentionRank(a, now) - attentionRank(b, now))
  if (order === 'recent') return byName.toSorted((a, b) => lastRunMs(b) - lastRunMs(a))
  return byName
}

/** Sorts connectors that need attention first, then working ones, then disconnected ones. */
function attentionRank(connector: Connector, now: number): number {
  const need = attentionReason(connector, now)
  if (need !== null) return attentionReasons.indexOf(need)
  return isActive(connector) ? attentionReasons.length : attentionReasons.length + 1
}

function lastRunMs({ Log }: Connector): number {
  return Log === null ? 0 : Date.parse(lastTriggeredAt(Log) ?? Log.CompletedAtUtc ?? '1970-01-01')
}

/** Default to a table from this number of connectors on; the user can choose cards. */
const tableThreshold = 50

export function effectiveLayout(chosen: string | null, count: number): ListLayout {
  if (chosen === 'cards' || chosen === 'table') return chosen
  return count >= tableThreshold ? 'table' : 'cards'
}
