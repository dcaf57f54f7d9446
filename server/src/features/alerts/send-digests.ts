/**
 * Sends the alerts that wait for a daily digest: all of one channel or one recipient in one message, at the chosen hour
 * after the first of them. The message and the mark that its alerts are sent are written in one transaction.
 */
import type { AppServices } from '../../app-services.ts'
import { nextFire } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { alertDigest, type DigestEntry } from '../../messaging/mail/alert-digest-template.ts'
import { chosenFootnote, namedFootnote } from '../../messaging/mail/connector-email-templates.ts'
import { listNamedRecipients, selectViewers } from './alert-targets.ts'
import {
  listWaitingEverywhere,
  lockWaiting,
  markSent,
  type WaitingAlert,
  type WaitingDigest,
} from './digest-queries.ts'
import { incidentData } from './incident-data.ts'
import { insertAlertDelivery } from './report-incident.ts'

type DigestServices = Pick<AppServices, 'config' | 'mailer' | 'store'>

/** Sends all due digests once. A failure does not stop the others; the first one is thrown at the end. */
export async function sendDueDigests(services: DigestServices): Promise<void> {
  const { store } = services
  const failures: unknown[] = []
  // Across, here and below: a worker serves every organisation, and mail belongs to none.
  for (const digest of await store.across(listWaitingEverywhere)) {
    try {
      if (isDue(digest)) await store.across((db) => sendDigest(db, services, digest))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Alerts of a channel that is no longer daily are due at once. */
function isDue({ frequency, hour, timeZone, waitingSince, now }: WaitingDigest): boolean {
  if (frequency !== 'daily') return true
  const at = nextFire(`0 ${hour} * * *`, timeZone, new Date(waitingSince))
  return at !== null && at.getTime() <= Date.parse(now)
}

async function sendDigest(db: Db, services: DigestServices, digest: WaitingDigest): Promise<void> {
  const waiting = await lockWaiting(db, digest)
  if (waiting.length === 0) return
  await markSent(db, digest, waiting)
  if (digest.frequency === 'never' || digest.isArchived) return
  const shown = await filterVisible(db, digest, waiting)
  if (shown.length === 0) return
  const { organisationId, companyName, timeZone } = digest
  const url = `${services.config.publicUrl}/?organisation=${organisationId}`
  const content = alertDigest({ companyName, timeZone, url, entries: mergeByIncident(shown) })
  if (digest.channelId === null) {
    const footnote = digest.isOwnChoice ? chosenFootnote : namedFootnote
    if (digest.emailAddress !== null) await services.mailer.enqueue(db, digest.emailAddress, { ...content, footnote })
    return
  }
  const { channelId, service } = digest
  const alerts = shown.map(({ event, incident, subject }) => incidentData({ event, incident }, subject))
  const data = { Event: 'digest', OrganisationId: organisationId, Alerts: alerts }
  if (service !== null)
    await insertAlertDelivery(db, organisationId, {
      channelId,
      service,
      incidentId: null,
      event: 'digest',
      content,
      data,
    })
}

/** Leaves out connectors that a person may no longer see, and everything if the person is no longer active. */
async function filterVisible(
  db: Db,
  { organisationId, personId }: WaitingDigest,
  waiting: readonly WaitingAlert[],
): Promise<readonly WaitingAlert[]> {
  if (personId === null) return waiting
  const connectors = new Map(waiting.map(({ connectorId, alertUsers }) => [connectorId, alertUsers]))
  const visible = new Set<string | null>()
  for (const [connectorId, alertUsers] of connectors) {
    const viewer = await selectViewers(db, { organisationId, connectorId })
      .where('portalUser.id', '=', personId)
      .executeTakeFirst()
    const named = await listNamedRecipients(db, organisationId, alertUsers)
    if (viewer !== undefined || named.some(({ id }) => id === personId)) visible.add(connectorId)
  }
  return waiting.filter(({ connectorId }) => visible.has(connectorId))
}

/** One entry for each incident, although its opening and its end may both wait. */
function mergeByIncident(waiting: readonly WaitingAlert[]): readonly DigestEntry[] {
  const incidents = new Map(waiting.map((alert) => [alert.incident.id, alert]))
  const hasEvent = (id: string, event: WaitingAlert['event']) =>
    waiting.some((alert) => alert.incident.id === id && alert.event === event)
  return [...incidents.values()].map(({ incident, subject }) => ({
    name: subject.name,
    notice: incident.notice,
    openedAt: incident.openedAt,
    closedAt: incident.closedAt,
    isKnown: !hasEvent(incident.id, 'opened'),
    hasRecovered: hasEvent(incident.id, 'recovered'),
  }))
}
