/**
 * Opens and closes incidents by what the runs and the tie-outs say. An incident and its messages are written together, under the lock of its
 * connector, so that however many look, and wherever one of them dies, each is told of once.
 */
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import {
  incidentClosed,
  incidentOpened,
  tieOutAgrees,
  tieOutDiffers,
} from '../../messaging/mail/connector-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  closeIncident,
  findEnded,
  findTrouble,
  getConnector,
  insertDelivery,
  insertIncident,
  isSignedOut,
  listEndedEverywhere,
  listRecipients,
  listTroubledEverywhere,
  type OpenIncident,
  type Place,
  type Trouble,
} from './queries.ts'
import {
  findAgreeing,
  findDiffering,
  listAgreeingEverywhere,
  listDifferingEverywhere,
  tieOutKind,
} from './tie-out-incidents.ts'

type IncidentServices = Pick<AppServices, 'config' | 'mailer' | 'store'>

/** What a connector may need somebody for. Of each it has one incident at a time. */
interface Matter {
  readonly listTroubledEverywhere: (db: Db) => Promise<Trouble[]>
  readonly findTrouble: (db: Db, organisationId: string, connectorId: string) => Promise<Trouble | undefined>
  readonly listEndedEverywhere: (db: Db) => Promise<OpenIncident[]>
  readonly findEnded: (db: Db, organisationId: string, connectorId: string) => Promise<OpenIncident | undefined>
}

const matters: readonly Matter[] = [
  { listTroubledEverywhere, findTrouble, listEndedEverywhere, findEnded },
  {
    listTroubledEverywhere: listDifferingEverywhere,
    findTrouble: findDiffering,
    listEndedEverywhere: listAgreeingEverywhere,
    findEnded: findAgreeing,
  },
]

/** One round over all connectors. One that cannot be told of does not keep the others waiting, and is reported at the end. */
export async function watchConnectors(services: IncidentServices): Promise<void> {
  // Across, in all that follows: a worker serves every organisation, and mail belongs to none.
  const { store } = services
  const failures: unknown[] = []
  const each = async (places: readonly Place[], work: (db: Db, place: Place) => Promise<void>) => {
    for (const place of places)
      await store.across((db) => work(db, place)).catch((error: unknown) => failures.push(error))
  }
  for (const matter of matters) {
    await each(await store.across(matter.listEndedEverywhere), (db, place) => close(db, services, matter, place))
    await each(await store.across(matter.listTroubledEverywhere), (db, place) => open(db, services, matter, place))
  }
  if (failures.length > 0) throw failures[0]
}

async function open(
  db: Db,
  services: Pick<AppServices, 'config' | 'mailer'>,
  matter: Matter,
  { organisationId, connectorId }: Place,
): Promise<void> {
  await lockConnector(db, organisationId, connectorId)
  const trouble = await matter.findTrouble(db, organisationId, connectorId)
  const incident = trouble && (await insertIncident(db, organisationId, trouble))
  if (incident !== undefined) await tell(db, services, { event: 'opened', incident })
}

async function close(
  db: Db,
  services: Pick<AppServices, 'config' | 'mailer'>,
  matter: Matter,
  { organisationId, connectorId }: Place,
): Promise<void> {
  await lockConnector(db, organisationId, connectorId)
  const over = await matter.findEnded(db, organisationId, connectorId)
  const incident = over && (await closeIncident(db, organisationId, over.id))
  if (incident !== undefined && over?.hasRecovered === true) await tell(db, services, { event: 'recovered', incident })
}

interface News {
  readonly event: 'opened' | 'recovered'
  readonly incident: NonNullable<Awaited<ReturnType<typeof insertIncident>>>
}

async function tell(
  db: Db,
  { config, mailer }: Pick<AppServices, 'config' | 'mailer'>,
  { event, incident }: News,
): Promise<void> {
  const { organisationId, connectorId, runId, id: incidentId, notice } = incident
  const connector = await getConnector(db, organisationId, connectorId)
  const { name, companyName } = connector
  const query = new URLSearchParams({
    organisation: organisationId,
    connector: connectorId,
    ...(runId !== null && { run: runId }),
  })
  const url = `${config.publicUrl}/connectors/${connector.type}/refresh?${query.toString()}`
  const facts = { connectorName: name, companyName, notice, url }
  const [opened, closed] =
    incident.kind === tieOutKind ? [tieOutDiffers, tieOutAgrees] : [incidentOpened, incidentClosed]
  const letter = event === 'opened' ? opened(facts) : closed(facts)
  // Administrators have had a letter already that says which connectors were signed out, all in one.
  const isTold =
    event === 'opened' &&
    connector.alertUsers === null &&
    incident.kind === 'signIn' &&
    (await isSignedOut(db, organisationId, connectorId))
  if (!isTold)
    for (const address of await listRecipients(db, organisationId, connector.alertUsers))
      await mailer.enqueue(db, address, letter)
  if (connector.webhookUrl === null) return
  await insertDelivery(db, organisationId, {
    incidentId,
    event,
    body: JSON.stringify(message({ event, incident }, connector)),
  })
}

/** What a webhook is sent, named as in the API. */
function message(
  { event, incident }: News,
  connector: { readonly id: string; readonly name: string; readonly type: string },
) {
  return {
    Event: event,
    OrganisationId: incident.organisationId,
    Connector: { Id: connector.id, Name: connector.name, Type: connector.type },
    Incident: {
      Id: incident.id,
      RunId: incident.runId,
      Kind: incident.kind,
      Notice: incident.notice,
      OpenedAtUtc: incident.openedAt,
      ClosedAtUtc: incident.closedAt,
    },
  }
}
