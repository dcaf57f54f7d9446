/** The calls about runs: starting one, watching it, stopping it. */
import { may } from '@tributary/contract/capabilities'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import type { Actor } from '../../platform/actor.ts'
import type { Origin } from '../../platform/audit.ts'
import { type App, tellTotal } from '../../platform/bind.ts'
import { requireVisible } from '../../platform/connector-access.ts'
import { ApiFault } from '../../platform/fault.ts'
import type { Db } from '../../platform/store.ts'
import { findConnectorId, findRun, listLines, listRejected, listRuns, listStreams, requestCancel } from './queries.ts'
import { startRun } from './start.ts'

export function runRoutes(app: App): void {
  const { parts } = app

  app.bind(connectors.process, ({ store, body, params: { connectorId }, ...call }) =>
    store.within(call.organisationId, (db) => start(db, { ...call, connectorId, isFull: body.fullTransactionSync })),
  )

  app.bind(connectors.processByKey, ({ store, body, params: { connectorKey }, ...call }) =>
    store.within(call.organisationId, async (db) => {
      const connectorId = await findConnectorId(db, call.organisationId, connectorKey)
      if (connectorId === undefined) throw new ApiFault('notFound')
      return start(db, { ...call, connectorId, isFull: body.fullTransactionSync })
    }),
  )

  async function start(db: Db, { organisationId, actor, origin, connectorId, isFull }: Start) {
    await requireVisible(db, organisationId, actor, connectorId)
    if (isFull && !may(actor.roleLevel, 'chooseRunMode')) throw new ApiFault('notAllowed')
    const mode = isFull ? 'full' : 'incremental'
    const request = { organisationId, connectorId, mode, trigger: 'person', triggeredBy: actor.userId } as const
    const runId = await startRun(db, parts.queue, request)
    const object = { type: 'connector', id: connectorId }
    await parts.audit.record(db, origin, { organisationId, action: 'sync.triggered', outcome: 'success', object, detail: { runId, mode } })
    return { statusCode: 202, message: 'The run has started.', runId }
  }

  app.bind(runs.list, ({ store, organisationId, actor, params: { connectorId }, query, reply }) =>
    store.within(organisationId, async (db) => {
      await requireVisible(db, organisationId, actor, connectorId)
      const { rows, total } = await listRuns(db, organisationId, connectorId, query)
      tellTotal(reply, total)
      return rows
    }),
  )

  app.bind(runs.read, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, async (db) => {
      const run = await requireRun(db, { organisationId, actor, ...params })
      const streams = await listStreams(db, organisationId, params.runId)
      return { ...run, streams, lines: await listLines(db, organisationId, params.runId) }
    }),
  )

  app.bind(runs.cancel, ({ store, organisationId, actor, origin, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      const notice = `Cancelled by ${actor.firstName} ${actor.lastName}.`
      if (!(await requestCancel(db, organisationId, params.runId, notice))) throw new ApiFault('runEnded')
      const object = { type: 'run', id: params.runId }
      await parts.audit.record(db, origin, { organisationId, action: 'sync.cancelled', outcome: 'success', object })
      return requireRun(db, { organisationId, actor, ...params })
    }),
  )

  app.bind(runs.rejected, ({ store, organisationId, actor, params }) =>
    store.within(organisationId, async (db) => {
      await requireRun(db, { organisationId, actor, ...params })
      return listRejected(db, organisationId, params.runId)
    }),
  )
}

interface Start {
  readonly organisationId: string
  readonly actor: Actor
  readonly origin: Origin
  readonly connectorId: string
  readonly isFull: boolean
}

interface One {
  readonly organisationId: string
  readonly actor: Actor
  readonly connectorId: string
  readonly runId: string
}

async function requireRun(db: Db, { organisationId, actor, connectorId, runId }: One) {
  await requireVisible(db, organisationId, actor, connectorId)
  const run = await findRun(db, organisationId, connectorId, runId)
  if (run === undefined) throw new ApiFault('notFound')
  return run
}
