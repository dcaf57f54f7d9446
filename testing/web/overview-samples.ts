/** Samples of an overview for tests of the home page. */
import { overviewDays } from '@tributary/contract/limits'
import type { Overview, OverviewConnector, OverviewIncident } from '@tributary/contract/overview'
import { sourceVerification } from './verification-samples.ts'

export function overviewConnector(changes: Partial<OverviewConnector> = {}): OverviewConnector {
  return {
    Id: '00000000-0000-4000-8000-000000000201',
    Name: 'Web shop',
    Type: 'postgres',
    State: 'fresh',
    FreshAtUtc: null,
    TimeZone: 'Europe/London',
    Schedule: null,
    LateSinceUtc: null,
    NextRunAtUtc: null,
    LastRun: null,
    RowsToday: 0,
    PendingChanges: 0,
    TieOut: null,
    Verification: sourceVerification(),
    SharedBy: null,
    Days: Array.from({ length: overviewDays }, () => 'none' as const),
    ...changes,
  }
}

export function overviewIncident(changes: Partial<OverviewIncident> = {}): OverviewIncident {
  return {
    Id: '00000000-0000-4000-8000-000000000701',
    ConnectorId: overviewConnector().Id,
    Action: null,
    RunId: '00000000-0000-4000-8000-000000000401',
    Kind: 'settings',
    Notice: 'The server refused the table.',
    OpenedAtUtc: new Date(Date.now() - 3_600_000).toISOString(),
    Who: 'administrator',
    ...changes,
  }
}

export function overview(changes: Partial<Overview> = {}): Overview {
  return { Connectors: [], Incidents: [], Administrators: [], Checklists: [], Promises: null, ...changes }
}

export function lastRun(changes: Partial<NonNullable<OverviewConnector['LastRun']>> = {}) {
  return {
    Id: '00000000-0000-4000-8000-000000000401',
    Status: 'COMPLETED' as const,
    QueuedAtUtc: '2026-11-20T08:00:00.000Z',
    CompletedAtUtc: '2026-11-20T08:01:00.000Z',
    ...changes,
  }
}
