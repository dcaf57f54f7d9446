/**
 * Opens and closes incidents from the state of runs, tie-outs and verifications. An incident and its messages are written in one transaction, under
 * the lock of its connector. Several workers, or one that crashes, therefore send each message exactly once.
 */
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { type IncidentScope, listSlices } from './incident-scope.ts'
import {
  closeIncident,
  type ConnectorFailure,
  insertIncident,
  listFailingEverywhere,
  listRecoveredEverywhere,
} from './queries.ts'
import { listAcknowledgedEverywhere, listChangedEverywhere } from './closed-period-incidents.ts'
import { listHeldEverywhere, listUnheldEverywhere } from './publication-incidents.ts'
import { listLateEverywhere, listReadyEverywhere } from './ready-by-incidents.ts'
import { reportIncident } from './report-incident.ts'
import { listAgreeingEverywhere, listDifferingEverywhere } from './tie-out-incidents.ts'
import { listEqualEverywhere, listUnequalEverywhere } from './verification-incidents.ts'

type IncidentServices = Pick<AppServices, 'config' | 'mailer' | 'store'>

/** A kind of problem to detect. A connector has at most one open incident of each; of closed periods, one for each run. */
interface IncidentDetector {
  listFailingEverywhere(db: Db, connector?: ConnectorLocation): Promise<readonly ConnectorFailure[]>
  readonly listRecoveredEverywhere: typeof listRecoveredEverywhere
}

const runIncidents: IncidentDetector = { listFailingEverywhere, listRecoveredEverywhere }
/** Their problems are rows of their own tables, so that a poll reads only what is wrong. */
const otherIncidents: readonly IncidentDetector[] = [
  { listFailingEverywhere: listDifferingEverywhere, listRecoveredEverywhere: listAgreeingEverywhere },
  { listFailingEverywhere: listUnequalEverywhere, listRecoveredEverywhere: listEqualEverywhere },
  { listFailingEverywhere: listChangedEverywhere, listRecoveredEverywhere: listAcknowledgedEverywhere },
  { listFailingEverywhere: listHeldEverywhere, listRecoveredEverywhere: listUnheldEverywhere },
  { listFailingEverywhere: listLateEverywhere, listRecoveredEverywhere: listReadyEverywhere },
]

/** Polls for incidents. In a store with many connectors a poll checks those that may have changed, and in turn a slice of all. */
export class IncidentWatch {
  #polls = 0

  async poll(services: IncidentServices): Promise<void> {
    // Across: a worker serves every organisation.
    const slices = await services.store.across(listSlices)
    const slice = slices[this.#polls % slices.length]
    this.#polls += 1
    await watch(services, slice === undefined || slice === 'all' ? ['all'] : ['changed', slice])
  }
}

/** Checks all connectors once. A failure does not stop the others; the first one is thrown at the end. */
export async function watchConnectors(services: IncidentServices): Promise<void> {
  await watch(services, ['all'])
}

async function watch(services: IncidentServices, scopes: readonly IncidentScope[]): Promise<void> {
  // Across, here and below: a worker serves every organisation, and mail belongs to none.
  const { store } = services
  const failures: unknown[] = []
  const each = async (
    connectors: readonly ConnectorLocation[],
    work: (db: Db, connector: ConnectorLocation) => Promise<void>,
  ) => {
    for (const connector of connectors)
      await store.across((db) => work(db, connector)).catch((error: unknown) => failures.push(error))
  }
  const close = async (detector: IncidentDetector) =>
    each(await store.across(detector.listRecoveredEverywhere), (db, connector) =>
      closeRecovered(db, services, detector, connector),
    )
  const open = (detector: IncidentDetector, failing: readonly ConnectorLocation[]) =>
    each(failing, (db, connector) => openIncident(db, services, detector, connector))
  await close(runIncidents)
  for (const scope of scopes) await open(runIncidents, await store.across((db) => listFailingEverywhere(db, scope)))
  for (const detector of otherIncidents) {
    await close(detector)
    await open(detector, await store.across((db) => detector.listFailingEverywhere(db)))
  }
  if (failures.length > 0) throw failures[0]
}

async function openIncident(
  db: Db,
  services: Pick<AppServices, 'config' | 'mailer'>,
  detector: IncidentDetector,
  connector: ConnectorLocation,
): Promise<void> {
  await lockConnector(db, connector)
  const [failure] = await detector.listFailingEverywhere(db, connector)
  const incident = failure && (await insertIncident(db, failure))
  if (incident !== undefined) await reportIncident(db, services, { event: 'opened', incident })
}

async function closeRecovered(
  db: Db,
  services: Pick<AppServices, 'config' | 'mailer'>,
  detector: IncidentDetector,
  connector: ConnectorLocation,
): Promise<void> {
  await lockConnector(db, connector)
  const [recovered] = await detector.listRecoveredEverywhere(db, connector)
  const incident = recovered && (await closeIncident(db, recovered))
  if (incident !== undefined && recovered?.hasRecovered === true)
    await reportIncident(db, services, { event: 'recovered', incident })
}
