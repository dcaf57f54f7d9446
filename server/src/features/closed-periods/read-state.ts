/** The state of closed periods of a connector, as the API shows it. */
import type { ClosedPeriods } from '@tributary/contract/closed-periods'
import type { Camel } from '@tributary/contract/wire'
import { findClosedPeriodSettings } from '../../connections/connectors/closed-period-settings.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countOpen, findReportedDay, getConnectorType, listDates } from './queries.ts'

type Settings = Omit<
  NonNullable<Awaited<ReturnType<typeof findClosedPeriodSettings>>>,
  'connectorId' | 'organisationId' | 'changedAt' | 'changedBy'
>

const switchedOff: Settings = {
  isOn: false,
  administratorDate: null,
  stream: null,
  dateColumn: null,
  numberColumn: null,
  accountColumn: null,
  amountColumn: null,
  examinedUpTo: null,
  examinedFrom: null,
  examinedSince: null,
  examinedBy: null,
  periodLockDate: null,
  yearEndLockDate: null,
  closedThrough: null,
  closedThroughBefore: null,
  notice: null,
  fault: null,
}

export async function readState(db: Db, connector: ConnectorLocation): Promise<Camel<ClosedPeriods>> {
  const { type } = await getConnectorType(db, connector)
  const source = findSource(type)?.closedPeriods
  const settings = (await findClosedPeriodSettings(db, connector)) ?? switchedOff
  const { isOn, administratorDate, periodLockDate, yearEndLockDate } = settings
  return {
    isOn,
    hasLedger: source !== undefined,
    reportsLockDates: source?.lockDates !== undefined,
    administratorDate,
    table: tableOf(settings),
    periodLockDate,
    yearEndLockDate,
    ...lastClosedDay(settings, await findReportedDay(db, connector)),
    examinedUpToUtc: toMilliseconds(settings.examinedUpTo),
    sinceUtc: toMilliseconds(settings.examinedSince),
    notice: settings.fault ?? settings.notice,
    open: await countOpen(db, connector),
    dates: await listDates(db, connector),
  }
}

function tableOf({ stream, dateColumn, numberColumn, accountColumn, amountColumn }: Settings) {
  return stream === null || dateColumn === null
    ? null
    : { stream, dateColumn, numberColumn, accountColumn, amountColumn }
}

/** The latest of the dates, and whose it is. */
function lastClosedDay(
  settings: Settings,
  reported: string | null,
): Pick<Camel<ClosedPeriods>, 'closedThrough' | 'closedBy'> {
  const { periodLockDate, yearEndLockDate, administratorDate } = settings
  const days = [
    { day: periodLockDate, by: 'source' },
    { day: yearEndLockDate, by: 'source' },
    { day: administratorDate, by: 'administrator' },
    { day: reported, by: 'mark' },
  ] as const
  const last = days
    .filter(({ day }) => day !== null)
    .toSorted((one, other) => (one.day ?? '').localeCompare(other.day ?? ''))
    .at(-1)
  return { closedThrough: last?.day ?? null, closedBy: last?.by ?? null }
}

/** Cut-offs have microseconds; times of the API have milliseconds. */
function toMilliseconds(cutOff: string | null): string | null {
  return cutOff === null ? null : new Date(cutOff).toISOString()
}
