/** Incidents of closed periods: one for each run that found changes. It is over when all of them are acknowledged. */
import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isInScope } from './incident-scope.ts'
import { type ConnectorFailure, listEndedEverywhere, type OpenIncident } from './queries.ts'

/** The kind of these incidents in the store and in messages. */
export const closedPeriodKind = 'closedPeriod'

/** More documents are counted, and listed on the page. */
const listedMax = 20

/** Runs with changes that are not acknowledged, and no incident yet. */
export async function listChangedEverywhere(db: Db, connector?: ConnectorLocation): Promise<ConnectorFailure[]> {
  const found = await db
    .selectFrom('closedPeriodChange')
    .innerJoin('connector', 'connector.id', 'closedPeriodChange.connectorId')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['closedPeriodChange.organisationId', 'closedPeriodChange.connectorId', 'closedPeriodChange.runId'])
    .where('acknowledgedAt', 'is', null)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND incident.kind = ${closedPeriodKind}
        AND incident.runId = closedPeriodChange.runId)`,
    )
    .where(isInScope(connector ?? 'all'))
    .groupBy(['closedPeriodChange.organisationId', 'closedPeriodChange.connectorId', 'closedPeriodChange.runId'])
    .orderBy((order) => order.fn.min('closedPeriodChange.seenAt'))
    .execute()
  if (connector === undefined) return found.map((each) => ({ ...each, kind: closedPeriodKind, notice: '' }))
  const failures: ConnectorFailure[] = []
  for (const each of found)
    failures.push({ ...each, kind: closedPeriodKind, notice: await describeChanges(db, connector, each.runId) })
  return failures
}

/** Open incidents to close: every change of the run is acknowledged, or the connector is inactive. */
export function listAcknowledgedEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  const isOver = sql<boolean>`NOT EXISTS (SELECT FROM closedPeriodChange
    WHERE closedPeriodChange.connectorId = incident.connectorId AND closedPeriodChange.runId = incident.runId AND acknowledgedAt IS NULL)`
  return listEndedEverywhere(db, { kind: closedPeriodKind, isOver, connector })
}

/** What happened, one line for each document, with the amounts that moved. */
async function describeChanges(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  runId: string,
): Promise<string> {
  const changes = await db
    .selectFrom('closedPeriodChange')
    .select(['change', 'kind', 'documentId', 'documentNumber', 'moved', 'closedThrough', 'periods'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('runId', '=', runId)
    .where('acknowledgedAt', 'is', null)
    .orderBy('periods')
    .orderBy('kind')
    .orderBy('documentId')
    .execute()
  const [first] = changes
  if (first === undefined) return ''
  const documents = changes.length === 1 ? 'One document has' : `${changes.length} documents have`
  const more = changes.length - listedMax
  return [
    `${documents} changed in a period that is closed up to ${first.closedThrough}.`,
    ...changes.slice(0, listedMax).map(describeChange),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ].join('\n')
}

interface ListedChange {
  readonly change: string
  readonly kind: string
  readonly documentId: string
  readonly documentNumber: string | null
  readonly moved: unknown
}

interface MovedAccount {
  readonly code: string | null
  readonly name: string | null
  readonly accountId: string
  readonly moved: string
}

function describeChange({ change, kind, documentId, documentNumber, moved }: ListedChange): string {
  const amounts = (moved as readonly MovedAccount[]).map(
    ({ code, name, accountId, moved: amount }) =>
      `${[code, name].filter((part) => part !== null).join(' ') || accountId} ${amount.startsWith('-') ? amount : `+${amount}`}`,
  )
  const sums = amounts.length === 0 ? 'no amount moved' : amounts.join(', ')
  return `${kind} ${documentNumber ?? documentId} was ${change}: ${sums}.`
}
