/** Where the overview leads: to the problem of a connector, to its tables, or to a run. */
import type { OverviewConnector } from '@tributary/contract/overview'
import { paths } from '../../paths.ts'

/** The page that shows why a connector needs help. */
export function problemPath({ Type, Id, State, LastRun }: OverviewConnector): string {
  if (State === 'tieOut') return `${paths.run(Type, Id, null)}&view=tieOut`
  if (State === 'differences') return `${paths.run(Type, Id, null)}&view=verification`
  if (State === 'changes') return `${paths.run(Type, Id, null)}&view=changes`
  return paths.run(Type, Id, LastRun?.Id ?? null)
}

/** The changes in closed periods of a connector. */
export function closedPeriodsPath({ Type, Id }: OverviewConnector): string {
  return `${paths.run(Type, Id, null)}&view=closedPeriods`
}

/** The times by which the rows of a connector must be ready. */
export function readyByPath({ Type, Id }: OverviewConnector): string {
  return `${paths.run(Type, Id, null)}&view=readyBy`
}

/** The tables of a connector with their freshness. */
export function tablesPath({ Type, Id }: OverviewConnector): string {
  return `${paths.run(Type, Id, null)}&view=tables`
}

export function runPath({ Type, Id }: OverviewConnector, runId: string): string {
  return paths.run(Type, Id, runId)
}
