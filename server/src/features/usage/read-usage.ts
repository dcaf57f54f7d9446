/** The calls of a connector to its source, against what the source allows. */
import type { ConnectorUsage } from '@tributary/contract/usage'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import {
  dailyAllowanceOf,
  judgeAllowance,
  listKeysOfTodayEverywhere,
  readDayOfKeysEverywhere,
} from '../../connections/rate-budgets/daily-allowance.ts'
import { readToday } from '../../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../../kernel/store/store.ts'
import { addDays, countDaysOfMonth, firstOfMonth, forecastMonth, listDays } from './forecast.ts'
import { findFirstDay, listCallsByDay, listCallsByStream, listConnectorsOfKeysEverywhere } from './queries.ts'

type Usage = Camel<ConnectorUsage>

const minutesPerDay = 1_440
/** Before today, for the forecast. */
const forecastDays = 28

export async function readFigures(
  db: Db,
  connector: ConnectorLocation,
  { type, days }: { readonly type: string; readonly days: number },
): Promise<Pick<Usage, 'limit' | 'days' | 'streams' | 'month'>> {
  const today = await readToday(db)
  const first = addDays(today, 1 - days)
  const oldest = [first, firstOfMonth(today), addDays(today, -forecastDays)].toSorted()[0] ?? first
  const counted = new Map((await listCallsByDay(db, connector, oldest)).map((one) => [one.day, one]))
  const calls = new Map([...counted].map(([day, one]) => [day, one.calls]))
  const limit = findSource(type)?.callLimit ?? null
  const perDay = limit === null ? null : limit.calls * (limit.per === 'day' ? 1 : minutesPerDay)
  return {
    limit,
    days: listDays(first, today).map((day) => counted.get(day) ?? { day, calls: 0, bytes: 0 }),
    streams: await listCallsByStream(db, connector, first),
    month: {
      ...forecastMonth(calls, today, await findFirstDay(db, connector)),
      allowed: perDay === null ? null : perDay * countDaysOfMonth(today),
    },
  }
}

/** Across organisations, because they may share credentials. Only the provider's staff may see which connectors do. */
export async function readTodayEverywhere(
  db: Db,
  connectorId: string,
  { type, showsConnectors }: { readonly type: string; readonly showsConnectors: boolean },
): Promise<Usage['today']> {
  const keys = await listKeysOfTodayEverywhere(db, connectorId)
  const { calls, endsAt } = await readDayOfKeysEverywhere(db, keys)
  const allowance = dailyAllowanceOf(type)
  return {
    calls,
    endsAtUtc: endsAt,
    state: allowance === null ? 'open' : judgeAllowance(calls, allowance),
    connectors: showsConnectors ? await listConnectorsOfKeysEverywhere(db, keys) : [],
  }
}
