/** Routes that start, watch, cancel and list runs. */
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { findOwner } from '../../identity/authorization/shared-connectors.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import { isSchedule, nextFires, scheduleFormat } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type RunKey, readRunDetail } from './run-detail.ts'
import { RunEvents } from './run-events.ts'
import {
  findConnectorId,
  findRun,
  listDailyTotals,
  listRejectedRows,
  listRuns,
  requestCancellation,
} from './queries.ts'
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

  app.bind(runs.process, ({ store, body, params: { connectorId }, ...call }) =>
    store.within(call.organisationId, (db) =>
      startRunManually(db, services, { auditContext: call.auditContext, connectorId, selection: body }),
    ),
  )

  app.bind(runs.processByKey, ({ store, body, params: { connectorKey }, ...call }) =>
    store.within(call.organisationId, async (db) => {
      const connectorId = await findConnectorId(db, call.organisationId, connectorKey)
      if (connectorId === undefined) throw new ApiFault('notFound')
      return startRunManually(db, services, { auditContext: call.auditContext, connectorId, selection: body })
    }),
  )

  app.bind(runs.cancel, ({ store, organisationId, actor, auditContext, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      const notice = `Cancelled by ${actor.firstName} ${actor.lastName}.`
      if (!(await requestCancellation(db, organisationId, { runId: params.runId, by: actor.userId, notice })))
        throw new ApiFault('runEnded')
      const object = { type: 'run', id: params.runId }
      await services.audit.record(db, auditContext, {
        action: 'sync.cancelled',
        outcome: 'success',
        object,
      })
      return requireRun(db, { organisationId, actor, ...params })
    }),
  )
}

function readRoutes(app: AppRoutes): void {
  const { clock } = app.services

  app.bind(runs.list, ({ store, organisationId, actor, params: { connectorId }, query, reply }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      const { rows, total } = await listRuns(db, organisationId, connectorId, query)
      setTotalCountHeader(reply, total)
      return rows
    }),
  )

  app.bind(runs.read, ({ store, organisationId, actor, params: { connectorId, runId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      const detail = await readRunDetail(db, { organisationId, connectorId, runId }, clock.now())
      if (detail === undefined) throw new ApiFault('notFound')
      return detail
    }),
  )

  app.bind(runs.history, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listDailyTotals(db, organisationId, connectorId, query.days)
    }),
  )
}

function rejectedRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bind(runs.rejected, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      return listRejectedRows(db, organisationId, params.runId)
    }),
  )

  app.bind(runs.rejectedFile, async ({ store, organisationId, actor, auditContext, params, reply }) => {
    const rows = await store.within(organisationId, async (db) => {
      const { queuedAtUtc } = await requireRun(db, { organisationId, actor, ...params })
      setFileNameHeader(reply, `rejected-rows-${queuedAtUtc.slice(0, 10)}.csv`)
      const object = { type: 'run', id: params.runId }
      await audit.record(db, auditContext, {
        action: 'data.export_downloaded',
        outcome: 'success',
        object,
      })
      return listRejectedRows(db, organisationId, params.runId)
    })
    return formatRejectedRows(rows)
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
      await store.within(organisationId, (db) => requireRun(db, { ...key, actor }))
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

interface RunAccess extends RunKey {
  readonly actor: Actor
}

async function requireRun(db: Db, { organisationId, actor, connectorId, runId }: RunAccess) {
  await requireVisibleConnector(db, organisationId, actor, connectorId)
  const run = await findRun(db, organisationId, connectorId, runId)
  if (run === undefined) throw new ApiFault('notFound')
  return run
}
