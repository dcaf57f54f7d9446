/** Which connectors the dashboard shows, and in which order. The address says so. */
import type { Connector } from '@tributary/contract/connectors'
import { activityOf, isActive, needOf, needs, triggeredAt } from '../../../domain/connectors/connector-state.ts'

/** The states by which the list can be narrowed, in the words of its buttons. */
export const states = {
  needsYou: 'Needs attention',
  running: 'Running',
  completed: 'Up to date',
  never: 'Never started',
  off: 'Disconnected',
} as const
export type State = keyof typeof states

export const orders = { name: 'Name', attention: 'Needs attention first', recent: 'Latest run first' } as const
export type Order = keyof typeof orders

export function stateOf(connector: Connector, now: number): State {
  if (!isActive(connector)) return 'off'
  if (needOf(connector, now) !== null) return 'needsYou'
  const activity = activityOf(connector.Log, now)
  return activity === 'running' || activity === 'never' ? activity : 'completed'
}

/** How many are in each state; those that nobody is in are left out. */
export function countStates(connectors: readonly Connector[], now: number): Map<State, number> {
  const found = connectors.map((connector) => stateOf(connector, now))
  const names = Object.keys(states) as State[]
  return new Map(
    names.flatMap((state) => (found.includes(state) ? [[state, found.filter((each) => each === state).length]] : [])),
  )
}

export function arrange(connectors: readonly Connector[], order: Order, now: number): Connector[] {
  const byName = connectors.toSorted((a, b) => a.Name.localeCompare(b.Name))
  if (order === 'attention') return byName.toSorted((a, b) => rankOf(a, now) - rankOf(b, now))
  if (order === 'recent') return byName.toSorted((a, b) => lastRunOf(b) - lastRunOf(a))
  return byName
}

/** What needs somebody first, then what works, then what is switched off. */
function rankOf(connector: Connector, now: number): number {
  const need = needOf(connector, now)
  if (need !== null) return needs.indexOf(need)
  return isActive(connector) ? needs.length : needs.length + 1
}

function lastRunOf({ Log }: Connector): number {
  return Log === null ? 0 : Date.parse(triggeredAt(Log) ?? Log.CompletedAtUtc ?? '1970-01-01')
}

/** From so many on a table tells more than cards, unless somebody chose otherwise. */
const tableFrom = 50
export type Layout = 'cards' | 'table'

export function layoutOf(chosen: string | null, count: number): Layout {
  if (chosen === 'cards' || chosen === 'table') return chosen
  return count >= tableFrom ? 'table' : 'cards'
}
