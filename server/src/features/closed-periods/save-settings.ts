/** Saves the settings of closed periods. */
import type { closedPeriods } from '@tributary/contract/closed-periods'
import { sql } from 'kysely'
import type * as z from 'zod'
import { findClosedPeriodSettings } from '../../connections/connectors/closed-period-settings.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

type SettingsBody = z.output<typeof closedPeriods.save.body>

/** Nothing was examined yet with these settings. */
const unexamined = {
  examinedUpTo: null,
  examinedFrom: null,
  examinedSince: null,
  examinedBy: null,
  closedThrough: null,
  closedThroughBefore: null,
} as const

const noTable = { stream: null, dateColumn: null, numberColumn: null, accountColumn: null, amountColumn: null } as const

/**
 * The caller holds the connector's lock. The examination begins again if closed periods were off, or another table is compared:
 * changes of a time without examination are unknown.
 */
export async function saveSettings(
  db: Db,
  connector: ConnectorLocation,
  { isOn, administratorDate, table }: SettingsBody,
  userId: string,
): Promise<void> {
  const former = await findClosedPeriodSettings(db, connector)
  const columns = table ?? noTable
  const isSame =
    former?.isOn === true &&
    (Object.keys(noTable) as (keyof typeof noTable)[]).every((name) => former[name] === columns[name])
  const values = {
    isOn,
    administratorDate,
    ...columns,
    changedBy: userId,
    changedAt: sql<string>`clock_timestamp()`,
    notice: null,
    fault: null,
    ...(isSame ? {} : unexamined),
  }
  await db
    .insertInto('closedPeriod')
    .values({ ...connector, ...values })
    .onConflict((conflict) => conflict.column('connectorId').doUpdateSet(values))
    .execute()
}
