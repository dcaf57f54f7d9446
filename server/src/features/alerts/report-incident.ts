/**
 * Reports the opening and the end of an incident, in the transaction that opens or closes it. Each channel and each
 * recipient has at most one row in `alert` for each of the two, so that nothing is reported twice.
 */
import type { AlertService } from '@tributary/contract/alert-channels'
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { Db } from '../../kernel/store/store.ts'
import { renderMessage } from '../../messaging/alert-channels/alert-channel.ts'
import {
  chosenFootnote,
  closedPeriodAcknowledged,
  closedPeriodChanged,
  incidentClosed,
  incidentOpened,
  namedFootnote,
  publicationMoves,
  publicationStays,
  readyByKept,
  readyByMissed,
  tieOutAgrees,
  tieOutDiffers,
  verificationAgrees,
  verificationDiffers,
} from '../../messaging/mail/connector-email-templates.ts'
import { type AlertTarget, type ChannelTarget, listAlertTargets } from './alert-targets.ts'
import { getConnector, type insertIncident, insertDelivery } from './queries.ts'
import { isSignedOut } from './signed-out.ts'
import { closedPeriodKind } from './closed-period-incidents.ts'
import { incidentData, toSubject } from './incident-data.ts'
import { publicationKind } from './publication-incidents.ts'
import { readyByKind } from './ready-by-incidents.ts'
import { tieOutKind } from './tie-out-incidents.ts'
import { verificationKind } from './verification-incidents.ts'

type ReportServices = Pick<AppServices, 'config' | 'mailer'>

export interface IncidentEvent {
  readonly event: 'opened' | 'recovered'
  readonly incident: NonNullable<Awaited<ReturnType<typeof insertIncident>>>
}

export async function reportIncident(db: Db, services: ReportServices, report: IncidentEvent): Promise<void> {
  const { event, incident } = report
  const { organisationId, connectorId } = incident
  if (connectorId === null) throw new Error('This incident is not about a connector.')
  const connector = await getConnector(db, { organisationId, connectorId })
  const content = describeIncident(services, report, connector)
  const data = incidentData(report, toSubject(incident, connector))
  // Administrators already received one email that lists all connectors the source signed out.
  const wasNotified =
    event === 'opened' &&
    connector.alertUsers === null &&
    incident.kind === 'signIn' &&
    (await isSignedOut(db, { organisationId, connectorId }))
  await notifyTargets(db, services, report, { content, data, alertUsers: connector.alertUsers, wasNotified })
  if (connector.webhookUrl !== null)
    await insertDelivery(db, organisationId, { incidentId: incident.id, event, body: JSON.stringify(data) })
}

export interface IncidentMessage {
  readonly content: EmailContent
  /** For programs. */
  readonly data: object
  /** Null: the administrators. */
  readonly alertUsers: readonly string[] | null
  /** The administrators know already. */
  readonly wasNotified: boolean
}

/** Writes one message, or one entry of a digest, for each channel and each recipient of mails. */
export async function notifyTargets(
  db: Db,
  services: ReportServices,
  report: IncidentEvent,
  { content, data, alertUsers, wasNotified }: IncidentMessage,
): Promise<void> {
  for (const { target, isWaiting } of await listUnreported(db, report, alertUsers)) {
    const isInserted = await insertAlert(db, report, { target, isWaiting })
    if (!isInserted || isWaiting) continue
    if (target.channelId !== null) await insertMessage(db, report, { target, content, data })
    else if (!(wasNotified && target.isAdministrator))
      await services.mailer.enqueue(db, target.emailAddress, {
        ...content,
        footnote: target.isOwnChoice ? chosenFootnote : namedFootnote,
      })
  }
}

interface UnreportedTarget {
  readonly target: AlertTarget
  /** The alert waits for the next digest. */
  readonly isWaiting: boolean
}

/** The end of an incident is reported only to those who got a report of its opening, and in a digest if that waits for one. */
async function listUnreported(
  db: Db,
  { event, incident }: IncidentEvent,
  alertUsers: readonly string[] | null,
): Promise<readonly UnreportedTarget[]> {
  const targets = await listAlertTargets(db, { ...incident, alertUsers })
  const isDaily = ({ frequency }: AlertTarget) => frequency === 'daily'
  if (event === 'opened' || !incident.recordsAlerts)
    return targets.map((target) => ({ target, isWaiting: isDaily(target) }))
  const openings = await db
    .selectFrom('alert')
    .select(['channelId', 'userId', 'sentAt'])
    .where('organisationId', '=', incident.organisationId)
    .where('incidentId', '=', incident.id)
    .where('event', '=', 'opened')
    .execute()
  return targets.flatMap((target) => {
    const opening = openings.find(({ channelId, userId }) => channelId === target.channelId && userId === target.userId)
    return opening === undefined ? [] : [{ target, isWaiting: isDaily(target) || opening.sentAt === null }]
  })
}

/** Returns false if it was reported to the target before. */
async function insertAlert(
  db: Db,
  { event, incident }: IncidentEvent,
  { target, isWaiting }: UnreportedTarget,
): Promise<boolean> {
  const inserted = await db
    .insertInto('alert')
    .values({
      organisationId: incident.organisationId,
      incidentId: incident.id,
      event,
      channelId: target.channelId,
      userId: target.userId,
      sentAt: isWaiting ? null : sql<string>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

interface ChannelMessage {
  readonly target: ChannelTarget
  readonly content: EmailContent
  readonly data: object
}

async function insertMessage(
  db: Db,
  { event, incident }: IncidentEvent,
  { target: { channelId, service }, content, data }: ChannelMessage,
): Promise<void> {
  const { organisationId, id: incidentId } = incident
  await insertAlertDelivery(db, organisationId, { channelId, service, incidentId, event, content, data })
}

interface NewAlertDelivery {
  readonly channelId: string
  readonly service: AlertService
  /** Null: a digest. */
  readonly incidentId: string | null
  readonly event: 'opened' | 'recovered' | 'digest'
  readonly content: EmailContent
  readonly data: object
}

export async function insertAlertDelivery(
  db: Db,
  organisationId: string,
  { service, content, data, ...delivery }: NewAlertDelivery,
): Promise<void> {
  const body = renderMessage(service, content, data)
  await db
    .insertInto('alertDelivery')
    .values({ organisationId, ...delivery, body, dueAt: sql`now()` })
    .execute()
}

type AlertConnector = Awaited<ReturnType<typeof getConnector>>

function describeIncident(
  { config }: Pick<AppServices, 'config'>,
  { event, incident }: IncidentEvent,
  { name, type, companyName }: AlertConnector,
): EmailContent {
  const { organisationId, connectorId, runId, kind, notice } = incident
  const query = new URLSearchParams({
    organisation: organisationId,
    connector: connectorId ?? '',
    ...linkOf(kind, runId),
  })
  const url = `${config.publicUrl}/connectors/${type}/refresh?${query.toString()}`
  const facts = { connectorName: name, companyName, notice, url }
  const [opened, closed] = templatesByKind[kind] ?? [incidentOpened, incidentClosed]
  return event === 'opened' ? opened(facts) : closed(facts)
}

/** What the message opens: a view of the connector, or the run. */
function linkOf(kind: string, runId: string | null) {
  if (kind === closedPeriodKind) return { view: 'closedPeriods' }
  if (kind === verificationKind || kind === readyByKind) return { view: kind }
  return runId === null ? {} : { run: runId }
}

type IncidentTemplates = readonly [typeof incidentOpened, typeof incidentClosed]

const templatesByKind: Readonly<Record<string, IncidentTemplates>> = {
  [tieOutKind]: [tieOutDiffers, tieOutAgrees],
  [closedPeriodKind]: [closedPeriodChanged, closedPeriodAcknowledged],
  [verificationKind]: [verificationDiffers, verificationAgrees],
  [publicationKind]: [publicationStays, publicationMoves],
  [readyByKind]: [readyByMissed, readyByKept],
}
