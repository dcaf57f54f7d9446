/** Routes that start, watch, cancel and list runs. */
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector, requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { getConnectorId } from '../../connections/connectors/connector-queries.ts'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import { findOwner } from '../../identity/authorization/shared-connectors.ts'
import { findTimeZone, resolveTimeZone } from '../../identity/people/organisations.ts'
import { isSchedule, nextFires, scheduleFormat } from '../../kernel/cron-schedule.ts'
import { listRecentDays } from '../../kernel/zoned-time.ts'
import type { Db } from '../../kernel/store/store.ts'
import { readRunDetail } from './run-detail.ts'
import { RunEvents } from './run-events.ts'
import { findRun, listDailyTotals, listRejectedRows, listRuns, requestCancellation, type RunKey } from './queries.ts'
import { formatRejectedRows } from './rejected-rows-file.ts'
import { startRunManually } from './start-manually.ts'

export function runRoutes(app: AppRoutes): void {
  startRoutes(app)
  readRoutes(app)
  rejectedRoutes(app)
  eventRoute(app)
  scheduleRoute(app)
}

function startRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(runs.process, ({ auditContext, params: { connectorId }, body: selection }) =>
    startRunManually(services, { auditContext, connectorId, selection }),
  )

  app.bind(runs.processByKey, async ({ store, organisationId, auditContext, params, body: selection }) => {
    const connectorId = await store.within(organisationId, (db) =>
      getConnectorId(db, organisationId, params.connectorKey),
    )
    return startRunManually(services, { auditContext, connectorId, selection })
  })

  bindVisibleConnector(app, runs.cancel, async (db, connector, { actor, auditContext, params: { runId } }) => {
    const run = { ...connector, runId }
    await getRun(db, run)
    const notice = `Cancelled by ${actor.firstName} ${actor.lastName}.`
    if (!(await requestCancellation(db, connector.organisationId, { runId, by: actor.userId, notice })))
      throw new ApiFault('runEnded')
    const object = { type: 'connector', id: connector.connectorId }
    await services.audit.record(db, auditContext, { action: 'sync.cancelled', object, detail: { runId } })
    return getRun(db, run)
  })
}

function readRoutes(app: AppRoutes): void {
  const { clock } = app.services

  bindVisibleConnector(app, runs.list, async (db, connector, { query, reply }) => {
    const { rows, total } = await listRuns(db, connector, query)
    setTotalCountHeader(reply, total)
    return rows
  })

  bindVisibleConnector(app, runs.read, async (db, connector, { params: { runId } }) =>
    requireFound(await readRunDetail(db, { ...connector, runId }, clock.now())),
  )

  bindVisibleConnector(app, runs.history, async (db, connector, { query: { days, timeZone } }) => {
    const zone = await resolveTimeZone(db, connector.organisationId, timeZone)
    return listDailyTotals(db, connector, listRecentDays(zone, new Date(clock.now()), days))
  })
}

function rejectedRoutes(app: AppRoutes): void {
  const { audit } = app.services

  bindVisibleConnector(app, runs.rejected, async (db, connector, { params: { runId } }) => {
    const run = { ...connector, runId }
    await getRun(db, run)
    return listRejectedRows(db, run)
  })

  bindVisibleConnector(app, runs.rejectedFile, async (db, connector, { auditContext, params: { runId }, reply }) => {
    const run = { ...connector, runId }
    const { queuedAtUtc } = await getRun(db, run)
    setFileNameHeader(reply, `rejected-rows-${queuedAtUtc.slice(0, 10)}.csv`)
    const object = { type: 'connector', id: connector.connectorId }
    await audit.record(db, auditContext, { action: 'data.export_downloaded', object, detail: { runId } })
    return formatRejectedRows(await listRejectedRows(db, run))
  })
}

function eventRoute(app: AppRoutes): void {
  const events = new RunEvents(app)

  app.bind(runs.events, async ({ store, organisationId, actor, params: { clientId, connectorId, runId }, reply }) => {
    const key = { organisationId, connectorId, runId }
    const requireAccess = async () => {
      // Across organisations: the owner may have stopped sharing the connector.
      const owner =
        actor.isGuest === true ? await store.across((db) => findOwner(db, connectorId, clientId)) : organisationId
      if (owner !== organisationId) throw new ApiFault('notFound')
      await store.within(organisationId, async (db) => {
        await requireVisibleConnector(db, actor, key)
        await getRun(db, key)
      })
    }
    await requireAccess()
    return events.open({ key, actor, requireAccess, reply })
  })
}

/** How many upcoming fires the preview shows. */
const previewedFires = 5

function scheduleRoute(app: AppRoutes): void {
  const { clock } = app.services

  app.bind(connectors.previewSchedule, async ({ store, organisationId, query: { cron } }) => {
    if (!isSchedule(cron)) throw badField('cron', scheduleFormat)
    const timeZone = await store.within(organisationId, (db) => findTimeZone(db, organisationId))
    const next = nextFires(cron, timeZone, new Date(clock.now()), previewedFires)
    return { timeZone, next: next.map((fire) => fire.toISOString()) }
  })
}

async function getRun(db: Db, key: RunKey) {
  return requireFound(await findRun(db, key))
}
