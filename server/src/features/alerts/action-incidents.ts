/**
 * Incidents of actions after publications that fail. An incident and its messages are written in one transaction, under the lock of
 * its action, so that several workers send each message once.
 */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { Db } from '../../kernel/store/store.ts'
import { actionFails, actionWorks } from '../../messaging/mail/action-email-templates.ts'
import { incidentData, toSubject } from './incident-data.ts'
import { type IncidentEvent, notifyTargets } from './report-incident.ts'

type IncidentServices = Pick<AppServices, 'config' | 'mailer' | 'store'>

/** The kind of these incidents in the store and in messages. */
const kind = 'afterPublishing'

/** Checks all actions once. */
export async function watchActions(services: IncidentServices): Promise<void> {
  // Across, here and below: a worker serves every organisation, and mail belongs to none.
  const { store } = services
  for (const { id } of await store.across((db) => listChangedEverywhere(db)))
    await store.across((db) => updateIncident(db, services, id))
}

const openIncidentId = sql<string | null>`(SELECT incident.id FROM incident
  WHERE incident.actionId = publicationAction.id AND closedAt IS NULL)`
const needsPerson = sql<boolean>`(failingSince IS NOT NULL AND isOn AND archivedAt IS NULL)`

/** Actions that fail without an incident, or have one and no longer fail. */
function listChangedEverywhere(db: Db) {
  return db
    .selectFrom('publicationAction')
    .innerJoin('organisation', 'organisation.id', 'publicationAction.organisationId')
    .select('publicationAction.id')
    .where(sql<boolean>`${needsPerson} <> (${openIncidentId} IS NOT NULL)`)
    .execute()
}

async function updateIncident(db: Db, services: IncidentServices, actionId: string): Promise<void> {
  // In a separate statement, because the next one must see what the former holder of the lock has written.
  await db.selectFrom('publicationAction').select('id').where('id', '=', actionId).forUpdate().execute()
  const action = await db
    .selectFrom('publicationAction')
    .innerJoin('organisation', 'organisation.id', 'publicationAction.organisationId')
    .select(['publicationAction.organisationId', 'name', 'kind', 'failingSince', 'organisation.companyName'])
    .select([openIncidentId.as('incidentId'), needsPerson.as('needsPerson')])
    .where('publicationAction.id', '=', actionId)
    .executeTakeFirst()
  if (action === undefined || action.needsPerson === (action.incidentId !== null)) return
  const { organisationId, incidentId } = action
  const incident =
    incidentId === null
      ? await openIncident(db, organisationId, actionId)
      : await closeIncident(db, organisationId, incidentId)
  // Otherwise the action was switched off, or its organisation archived: the incident closes without a message.
  if (action.needsPerson || action.failingSince === null)
    await report(db, services, action, { event: incidentId === null ? 'opened' : 'recovered', incident })
}

async function openIncident(db: Db, organisationId: string, actionId: string) {
  const failed = await db
    .selectFrom('publicationActionRun')
    .select('notice')
    .where('organisationId', '=', organisationId)
    .where('actionId', '=', actionId)
    .where('status', '=', 'FAILED')
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return db
    .insertInto('incident')
    .values({ organisationId, actionId, kind, notice: failed?.notice ?? 'The last run failed.', recordsAlerts: true })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function closeIncident(db: Db, organisationId: string, id: string) {
  return db
    .updateTable('incident')
    .set({ closedAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface ReportedAction {
  readonly name: string
  readonly kind: string
  readonly companyName: string
}

async function report(
  db: Db,
  services: IncidentServices,
  { name, kind: type, companyName }: ReportedAction,
  event: IncidentEvent,
): Promise<void> {
  const { organisationId, notice } = event.incident
  const url = `${services.config.publicUrl}/data/after-publishing?organisation=${organisationId}`
  const facts = { actionName: name, companyName, notice, url }
  const content: EmailContent = event.event === 'opened' ? actionFails(facts) : actionWorks(facts)
  const data = incidentData(event, toSubject(event.incident, { name, type }))
  await notifyTargets(db, services, event, { content, data, alertUsers: null, wasNotified: false })
}
