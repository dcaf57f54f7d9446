/** Routes for closed periods. They contain figures of the books, so organisations that a connector is shared with cannot read them. */
import { closedPeriods, type ClosedPeriods } from '@tributary/contract/closed-periods'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import { ApiFault, badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  acknowledgeChanges,
  countChanges,
  countOpen,
  findSettings,
  getConnectorType,
  listChanges,
  listDates,
} from './queries.ts'
import { saveSettings } from './save-settings.ts'

export function closedPeriodRoutes(app: AppRoutes): void {
  const { audit } = app.services

  bindVisibleConnector(app, closedPeriods.read, readState)

  bindVisibleConnector(app, closedPeriods.save, async (db, connector, { actor, auditContext, body }) => {
    if ((await lockConnector(db, connector)) === undefined) throw notFound()
    const { type } = await getConnectorType(db, connector)
    requireLedger(type, body)
    await saveSettings(db, connector, body, actor.userId)
    const object = { type: 'connector', id: connector.connectorId }
    const detail = { isOn: body.isOn, date: body.administratorDate, table: body.table?.stream ?? null }
    await audit.record(db, auditContext, { action: 'connector.closed_periods_set', object, detail })
    return readState(db, connector)
  })

  bindVisibleConnector(app, closedPeriods.changes, (db, connector, { query }) => listChanges(db, connector, query))

  bindVisibleConnector(app, closedPeriods.acknowledge, async (db, connector, { actor, auditContext, body }) => {
    const ids = [...new Set(body.changes)]
    const { count } = await countChanges(db, connector, ids)
    if (count < ids.length) throw new ApiFault('notFound')
    const acknowledged = await acknowledgeChanges(db, connector, ids, { reason: body.reason, userId: actor.userId })
    if (acknowledged > 0) {
      const object = { type: 'connector', id: connector.connectorId }
      const detail = { changes: acknowledged, reason: body.reason }
      await audit.record(db, auditContext, { action: 'connector.closed_period_acknowledged', object, detail })
    }
    return { acknowledged }
  })
}

/** A source with a ledger needs no table; of another one an administrator names the table. */
function requireLedger(type: string, { isOn, table }: z.output<typeof closedPeriods.save.body>): void {
  const source = findSource(type)
  if (source === undefined) throw badField('isOn', 'can be switched on only for a connector that moves tables')
  const hasLedger = source.closedPeriods !== undefined
  if (hasLedger && table !== null) throw badField('table', 'must be null: the source has a ledger of its own')
  if (!hasLedger && isOn && table === null)
    throw badField('table', 'must name a table with its date column, because the source has no ledger of its own')
}

async function readState(db: Db, connector: ConnectorLocation): Promise<Camel<ClosedPeriods>> {
  const { type } = await getConnectorType(db, connector)
  const source = findSource(type)?.closedPeriods
  const settings = await findSettings(db, connector)
  const { stream = null, dateColumn = null } = settings ?? {}
  return {
    isOn: settings?.isOn ?? false,
    hasLedger: source !== undefined,
    reportsLockDates: source?.lockDates !== undefined,
    administratorDate: settings?.administratorDate ?? null,
    table:
      settings === undefined || stream === null || dateColumn === null
        ? null
        : {
            stream,
            dateColumn,
            numberColumn: settings.numberColumn,
            accountColumn: settings.accountColumn,
            amountColumn: settings.amountColumn,
          },
    periodLockDate: settings?.periodLockDate ?? null,
    yearEndLockDate: settings?.yearEndLockDate ?? null,
    ...lastClosedDay(settings),
    examinedUpToUtc: toMilliseconds(settings?.examinedUpTo),
    sinceUtc: toMilliseconds(settings?.examinedSince),
    notice: settings?.fault ?? settings?.notice ?? null,
    open: await countOpen(db, connector),
    dates: await listDates(db, connector),
  }
}

type Settings = Awaited<ReturnType<typeof findSettings>>

/** The latest of the dates, and whose it is. */
function lastClosedDay(settings: Settings): Pick<Camel<ClosedPeriods>, 'closedThrough' | 'closedBy'> {
  const days = [
    { day: settings?.periodLockDate ?? null, by: 'source' },
    { day: settings?.yearEndLockDate ?? null, by: 'source' },
    { day: settings?.administratorDate ?? null, by: 'administrator' },
  ] as const
  const last = days
    .filter(({ day }) => day !== null)
    .toSorted((one, other) => (one.day ?? '').localeCompare(other.day ?? ''))
    .at(-1)
  return { closedThrough: last?.day ?? null, closedBy: last?.by ?? null }
}

/** Cut-offs have microseconds; times of the API have milliseconds. */
function toMilliseconds(cutOff: string | null | undefined): string | null {
  return cutOff === null || cutOff === undefined ? null : new Date(cutOff).toISOString()
}
