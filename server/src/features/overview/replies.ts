/** Maps connectors and incidents to the overview. */
import { roleLevels } from '@tributary/contract/capabilities'
import { overviewDays } from '@tributary/contract/limits'
import {
  type DayOutcome,
  GuestOverviewConnector,
  GuestOverviewIncident,
  incidentOwners,
  type OverviewConnector,
  type OverviewIncident,
} from '@tributary/contract/overview'
import type { Camel } from '@tributary/contract/wire'
import type { Actor } from '../../kernel/http/actor.ts'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import type { ConnectorDays, ConnectorHealthRow, IncidentRow } from './queries.ts'

const redactConnector = guestRedactor(GuestOverviewConnector)
const redactIncident = guestRedactor(GuestOverviewIncident)

export function toOverviewConnector(
  row: ConnectorHealthRow,
  days: ConnectorDays | undefined,
): Camel<OverviewConnector> {
  const isUnfinished = row.runId !== null && row.completedAt === null
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    state: row.state,
    freshAtUtc: row.freshAtUtc,
    schedule: row.schedule,
    timeZone: row.timeZone,
    lateSinceUtc: row.lateSinceUtc,
    nextRunAtUtc: row.nextRunAt,
    lastRun: toLastRun(row),
    rowsToday: (days?.rowsToday ?? 0) + (isUnfinished ? (row.rowsWritten ?? 0) : 0),
    pendingChanges: row.pendingChanges,
    tieOut: row.tieOut,
    verification: row.verification,
    sharedBy: null,
    days: toDayOutcomes(days),
  }
}

/** The connector, redacted for an organisation that it is shared with. */
export function toSharedConnector(connector: Camel<OverviewConnector>, owner: string): Camel<OverviewConnector> {
  return redactConnector({ ...connector, sharedBy: owner }) as Camel<OverviewConnector>
}

export function toIncident(row: IncidentRow): Camel<OverviewIncident> {
  return { ...row, who: ownerByKind[row.kind] ?? 'administrator' }
}

/** Guests may not see addresses. */
export function toAdministrator<Person extends { readonly emailAddress: string }>(
  person: Person,
  { roleLevel }: Actor,
) {
  return { ...person, emailAddress: roleLevel < roleLevels.guest ? person.emailAddress : null }
}

/** The incident, redacted for an organisation that its connector is shared with. Only the owner can act. */
export function toSharedIncident(incident: Camel<OverviewIncident>): Camel<OverviewIncident> {
  return redactIncident({ ...incident, who: 'owner' }) as Camel<OverviewIncident>
}

/** Who must act, for the kinds that are not an administrator's. */
const ownerByKind: { readonly [kind: string]: OverviewIncident['Who'] } = {
  bug: 'provider',
  busy: 'nobody',
  passing: 'nobody',
  stalled: 'nobody',
}

/** Those that need a person first, then the oldest first. */
export function compareIncidents(one: Camel<OverviewIncident>, other: Camel<OverviewIncident>): number {
  return (
    incidentOwners.indexOf(one.who) - incidentOwners.indexOf(other.who) ||
    one.openedAtUtc.localeCompare(other.openedAtUtc)
  )
}

function toLastRun({
  runId,
  runStatus,
  queuedAt,
  completedAt,
}: ConnectorHealthRow): Camel<OverviewConnector>['lastRun'] {
  if (runId === null || runStatus === null || queuedAt === null) return null
  return { id: runId, status: runStatus, queuedAtUtc: queuedAt, completedAtUtc: completedAt }
}

function toDayOutcomes(found: ConnectorDays | undefined): DayOutcome[] {
  const outcomeOf = new Map(found?.days.map((day, index) => [day, found.outcomes[index]]))
  return Array.from({ length: overviewDays }, (_, index) => outcomeOf.get(index + 1) ?? 'none')
}
