/** The calls about runs: starting one, watching it, stopping it, reading what it did. */
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { App } from '../../app-services.ts'
import { requireVisible } from '../../connections/connectors/connector-access.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { findOwner } from '../../identity/authorization/shared-connectors.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import { isSchedule, nextFires, scheduleFormat } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type RunPlace, readDetail } from './run-detail.ts'
import { RunEvents } from './run-events.ts'
import { findConnectorId, findRun, listDays, listRejected, listRuns, requestCancel } from './queries.ts'
import { rejectedFile } from './rejected-rows-file.ts'
import { startManually } from './start-manually.ts'

export function runRoutes(app: App): void {
  startingRoutes(app)
  readingRoutes(app)
  rejectedRoutes(app)
  eventRoute(app)
  scheduleRoute(app)
}

function startingRoutes(app: App): void {
  const { services } = app

  app.bind(runs.process, ({ store, body, params: { connectorId }, ...call }) =>
    store.within(call.organisationId, (db) =>
      startManually(db, services, { auditContext: call.auditContext, connectorId, wish: body }),
    ),
  )

  app.bind(runs.processByKey, ({ store, body, params: { connectorKey }, ...call }) =>
    store.within(call.organisationId, async (db) => {
      const connectorId = await findConnectorId(db, call.organisationId, connectorKey)
      if (connectorId === undefined) throw new ApiFault('notFound')
      return startManually(db, services, { auditContext: call.auditContext, connectorId, wish: body })
    }),
  )

  app.bind(runs.cancel, ({ store, organisationId, actor, auditContext, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      const notice = `Cancelled by ${actor.firstName} ${actor.lastName}.`
      if (!(await requestCancel(db, organisationId, { runId: params.runId, by: actor.userId, notice })))
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

function readingRoutes(app: App): void {
  const { clock } = app.services

  app.bind(runs.list, ({ store, organisationId, actor, params: { connectorId }, query, reply }) =>
    store.within(organisationId, async (db) => {
      await requireVisible(db, organisationId, actor, connectorId)
      const { rows, total } = await listRuns(db, organisationId, connectorId, query)
      setTotalCountHeader(reply, total)
      return rows
    }),
  )

  app.bind(runs.read, ({ store, organisationId, actor, params: { connectorId, runId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisible(db, organisationId, actor, connectorId)
      const detail = await readDetail(db, { organisationId, connectorId, runId }, clock.now())
      if (detail === undefined) throw new ApiFault('notFound')
      return detail
    }),
  )

  app.bind(runs.history, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, async (db) => {
      await requireVisible(db, organisationId, actor, connectorId)
      return listDays(db, organisationId, connectorId, query.days)
    }),
  )
}

function rejectedRoutes(app: App): void {
  const { audit } = app.services

  app.bind(runs.rejected, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      return listRejected(db, organisationId, params.runId)
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
      return listRejected(db, organisationId, params.runId)
    })
    return rejectedFile(rows)
  })
}

function eventRoute(app: App): void {
  const events = new RunEvents(app)

  app.bind(runs.events, async ({ store, organisationId, actor, params: { clientId, connectorId, runId }, reply }) => {
    const place = { organisationId, connectorId, runId }
    const mayStillSee = async () => {
      // Across: an organisation that shared the connector may have taken it back.
      const owner =
        actor.isGuest === true ? await store.across((db) => findOwner(db, connectorId, clientId)) : organisationId
      if (owner !== organisationId) throw new ApiFault('notFound')
      await store.within(organisationId, (db) => requireRun(db, { ...place, actor }))
    }
    await mayStillSee()
    return events.open({ place, actor, mayStillSee, reply })
  })
}

/** As many of the next fires as a form shows. */
const previewed = 5

function scheduleRoute(app: App): void {
  const { clock } = app.services

  app.bind(connectors.previewSchedule, async ({ store, organisationId, query: { cron } }) => {
    if (!isSchedule(cron)) throw badField('cron', scheduleFormat)
    const timeZone = await store.within(organisationId, (db) => findTimeZone(db, organisationId))
    const next = nextFires(cron, timeZone, new Date(clock.now()), previewed)
    return { timeZone, next: next.map((fire) => fire.toISOString()) }
  })
}

interface One extends RunPlace {
  readonly actor: Actor
}

async function requireRun(db: Db, { organisationId, actor, connectorId, runId }: One) {
  await requireVisible(db, organisationId, actor, connectorId)
  const run = await findRun(db, organisationId, connectorId, runId)
  if (run === undefined) throw new ApiFault('notFound')
  return run
}
