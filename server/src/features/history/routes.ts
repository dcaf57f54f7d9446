/** The setting of history by connector: which tables keep it, why, since when, and how large it is. */
import { type ConnectorHistory, history } from '@tributary/contract/history'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import {
  type HistoryStreams,
  listHistoryReasons,
  setHistoryReason,
  type StreamHistoryReason,
} from '../../connections/history/history-reasons.ts'
import { listRetention, replaceRetention } from '../../connections/history/history-retention.ts'
import { listMarks } from '../../connections/history/shown-marks.ts'
import { listStreamHistories } from '../../connections/history/stream-histories.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { measureTables } from './measure-histories.ts'
import { findConnectorType, watchesClosedPeriods } from './queries.ts'

export function historyRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(history.read, async ({ organisationId, actor, params }) => {
    const connector = { organisationId, connectorId: params.connectorId }
    await services.store.within(organisationId, (db) => requireVisibleConnector(db, actor, connector))
    return describeHistory(services, connector)
  })

  app.bind(history.save, async ({ organisationId, actor, auditContext, params, body }) => {
    const connector = { organisationId, connectorId: params.connectorId }
    await services.store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, actor, connector)
      if ((await lockConnector(db, connector)) === undefined) throw notFound()
      if (body.tables !== 'none') await requireSqlTarget(db, connector, 'history')
      const streams = await toStreams(db, connector, body)
      await setHistoryReason(db, connector, { reason: 'setting', streams }, actor.userId)
      if (body.retention !== undefined) {
        const retention = new Map(Object.entries(body.retention))
        await requireKnown(db, connector, 'retention', [...retention.keys()])
        await replaceRetention(db, connector, retention)
      }
      const object = { type: 'connector', id: connector.connectorId }
      const detail = {
        tables: body.tables,
        ...(streams !== 'all' && streams.length > 0 && { streams: streams.length }),
      }
      await services.audit.record(db, auditContext, { action: 'connector.history_set', object, detail })
    })
    return describeHistory(services, connector)
  })
}

async function toStreams(
  db: Db,
  connector: ConnectorLocation,
  { tables, streams = [] }: z.output<typeof history.save.body>,
): Promise<HistoryStreams> {
  if (tables !== 'chosen') {
    if (streams.length > 0) throw badField('streams', 'must be left out unless tables are chosen')
    return tables === 'all' ? 'all' : []
  }
  if (streams.length === 0) throw badField('streams', 'must name at least one table')
  await requireKnown(db, connector, 'streams', streams)
  return streams
}

async function requireKnown(
  db: Db,
  connector: ConnectorLocation,
  field: string,
  streams: readonly string[],
): Promise<void> {
  const known = new Set((await listStreamHistories(db, connector)).map(({ stream }) => stream))
  const unknown = streams.find((stream) => !known.has(stream))
  if (unknown === undefined) return
  throw badField(field, `contains ${unknown}, which no run of this connector has moved yet; choose a table of its list`)
}

async function describeHistory(services: AppServices, connector: ConnectorLocation): Promise<Camel<ConnectorHistory>> {
  const { reasons, streams, retention, isWatched, marks } = await services.store.within(
    connector.organisationId,
    async (db) => ({
      reasons: await listHistoryReasons(db, connector),
      streams: await listStreamHistories(db, connector),
      retention: await listRetention(db, connector),
      isWatched: await watchesClosedPeriods(db, connector),
      marks: await listMarks(db, connector, await findConnectorType(db, connector)),
    }),
  )
  const measured = await measureTables(services, connector, streams)
  const setting = reasons.find(({ reason }) => reason === 'setting')?.streams ?? []
  return {
    tables: setting === 'all' ? 'all' : setting.length > 0 ? 'chosen' : 'none',
    chosen: setting === 'all' ? [] : [...setting],
    streams: streams.map(({ stream, table, rows, keepsHistory, histories }) => ({
      stream,
      table,
      reasons: reasonsOf(reasons, { stream, isKept: keepsHistory && isWatched }),
      isKept: keepsHistory,
      retentionDays: retention.get(stream) ?? null,
      rows: rows ?? measured.get(table)?.rows ?? null,
      bytes: measured.get(table)?.bytes ?? null,
      histories: histories.map(({ table: of, name, since }) => ({
        table: of,
        name,
        sinceUtc: since,
        rows: measured.get(name)?.rows ?? null,
        bytes: measured.get(name)?.bytes ?? null,
      })),
      marks: marks
        .filter(({ moment, shows }) => shows(stream) && (histories[0]?.since ?? '~') <= moment)
        .map(({ name, moment }) => ({ name, momentUtc: moment })),
    })),
  }
}

/** @param isKept whether closed periods are watched and the stream keeps history; they choose the tables of the ledger with each run */
function reasonsOf(
  reasons: readonly StreamHistoryReason[],
  { stream, isKept }: { readonly stream: string; readonly isKept: boolean },
): StreamHistoryReason['reason'][] {
  const named = reasons
    .filter(({ streams }) => streams === 'all' || streams.includes(stream))
    .map(({ reason }) => reason)
  return named.length === 0 && isKept ? ['closedPeriods'] : named
}
