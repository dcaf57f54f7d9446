/** Groups of the states of connectors. */
import type { ConnectorState, OverviewConnector } from '@tributary/contract/overview'

/** Groups of states, those that need help first. */
export const stateGroups = {
  needsHelp: { label: 'Need help', states: ['forbidden', 'targetDown', 'failed', 'tieOut', 'differences', 'changes'] },
  late: { label: 'Late', states: ['stalled', 'late'] },
  running: { label: 'Running', states: ['running'] },
  never: { label: 'Never started', states: ['never'] },
  fresh: { label: 'Up to date', states: ['fresh'] },
  disconnected: { label: 'Disconnected', states: ['disconnected'] },
} as const satisfies Readonly<Record<string, { label: string; states: readonly ConnectorState[] }>>
export type StateGroup = keyof typeof stateGroups

export function isInGroup({ State }: Pick<OverviewConnector, 'State'>, group: StateGroup): boolean {
  const states: readonly ConnectorState[] = stateGroups[group].states
  return states.includes(State)
}

/** True if a person must act. */
export function needsHelp(connector: OverviewConnector): boolean {
  return isInGroup(connector, 'needsHelp')
}
