/** Lists the tables and columns that a form's settings can read at the source, before they are saved. */
import type { OfferedTable } from '@tributary/contract/streams'
import type { Camel } from '@tributary/contract/wire'
import { asFault, Fault } from '@tributary/engine/ports/faults'
import type { LogicalType } from '@tributary/engine/ports/model'
import type { MissingSelection, Stream } from '@tributary/engine/ports/source'
import { withoutTableSelection } from '@tributary/engine/ports/table-selection'
import { type ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { SourceCredentials } from '../../connections/oauth/oauth.ts'
import type { AppServices } from '../../app-services.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { AcceptedSettings } from './accept-settings.ts'

type DiscoverTablesServices = Pick<AppServices, 'log'> & WithTimeoutServices

/** Large databases are slow to list their columns. */
const timeMaxMs = 30_000

/** Throws `settingsWrong` with the source's own message. @param signal aborts when the client disconnects */
export async function discoverTables(
  services: DiscoverTablesServices,
  { source, properties }: AcceptedSettings,
  provideCredentials: () => Promise<SourceCredentials>,
  signal: AbortSignal,
): Promise<Camel<OfferedTable>[]> {
  try {
    return await withTimeout(services, signal, timeMaxMs, async (around) => {
      const lent = await provideCredentials()
      const settings = source.parse({ ...withoutTableSelection(properties), ...lent.properties })
      await using opened = await source.open(settings, { ...around, ...lent.context })
      const streams = await opened.streams()
      return [...streams.map(toOfferedTable), ...((await opened.unreadableTables?.()) ?? []).map(toUnreadableTable)]
    })
  } catch (error) {
    throw toDiscoveryFault(services, error)
  }
}

function toDiscoveryFault({ log }: Pick<AppServices, 'log'>, error: unknown): ApiFault {
  const fault = asFault(error)
  if (fault.kind === 'bug') log.error('tables could not be discovered', { error })
  const named = error instanceof Fault && error.field !== undefined ? { fields: { [error.field]: fault.notice } } : {}
  return detailedFault('settingsWrong', fault.notice, { ...named, cause: error })
}

/** Listed, so that users learn about the table and the missing permission. */
function toUnreadableTable({ name, remedy }: MissingSelection): Camel<OfferedTable> {
  return {
    name,
    key: [],
    columns: [],
    rowsEstimate: null,
    notice: 'These credentials may not read this table.',
    remedy: remedy ?? null,
  }
}

function toOfferedTable({ name, table, rowsEstimate, fault }: Stream): Camel<OfferedTable> {
  return {
    name,
    key: [...table.key],
    columns: table.columns.map((column) => ({ name: column.name, type: describeType(column.type) })),
    rowsEstimate: rowsEstimate ?? null,
    notice: fault?.notice ?? null,
    remedy: fault?.remedy ?? null,
  }
}

function describeType(type: LogicalType): string {
  switch (type.kind) {
    case 'text':
      return type.maxLength === undefined ? 'Text' : `Text, up to ${type.maxLength} characters`
    case 'decimal':
      return type.scale === undefined ? 'Decimal number' : `Decimal number, ${type.scale} places`
    default:
      return typeNames[type.kind]
  }
}

const typeNames: Readonly<Record<Exclude<LogicalType['kind'], 'text' | 'decimal'>, string>> = {
  integer: 'Whole number',
  double: 'Floating-point number',
  boolean: 'Yes or no',
  date: 'Date',
  time: 'Time of day',
  localTimestamp: 'Date and time',
  instant: 'Moment in time',
  guid: 'Unique id',
  json: 'JSON',
  bytes: 'Binary data',
}
