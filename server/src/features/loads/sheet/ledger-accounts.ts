/** Reads the charts of accounts that the organisation's connectors have moved. */
import { asFault, Fault } from '@tributary/engine/ports/faults'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { chooseSchema, applyDefaultTarget } from '../../../connections/databases/database-credentials.ts'
import { openTarget, type TargetLocation } from '../../../connections/databases/open-target.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { type AllowedValues, byPlainName } from './allowed-values.ts'
import type { LoadTableServices } from '../load-table.ts'

/** The table with the chart of accounts of each source. `live`: values of the state column for accounts in use. */
const charts = {
  xero: { table: 'account', code: 'code', state: 'status', live: ['active'] },
  cin7: { table: 'account', code: 'code', state: 'status', live: ['active'] },
  uniconta: { table: 'gl_account', code: 'account', state: 'is_blocked', live: ['f', 'false', '0'] },
} as const
type AccountChart = (typeof charts)[keyof typeof charts]

const readMs = 60_000

export interface LedgerAccounts {
  /** Codes by plain name; undefined while no connected source has moved its accounts, which allows every account. */
  readonly codes: AllowedValues['values'] | undefined
  /** Names of connectors that have not moved their accounts yet. */
  readonly without: readonly string[]
}

export async function readLedgerAccounts(services: LoadTableServices, organisationId: string): Promise<LedgerAccounts> {
  const books = await services.store.within(organisationId, (db) => listBooks(db, services, organisationId))
  const found: (readonly string[])[] = []
  const without: string[] = []
  for (const { place, chart, name } of books) {
    const around = { network: services.network, clock: services.clock, signal: AbortSignal.timeout(readMs) }
    await using target = await openTarget(place, around, services.warehouseTarget)
    const codes = await readChart(target, chart)
    if (codes === undefined) without.push(name)
    else found.push(codes)
  }
  return { codes: found.length === 0 ? undefined : byPlainName(found.flat()), without }
}

/** Undefined if the connector has not moved its accounts. */
async function readChart(
  target: OpenTarget,
  { table, code, state, live }: AccountChart,
): Promise<readonly string[] | undefined> {
  try {
    const rows = await target.select(
      ({ view, quote }) => `SELECT ${quote(code)} AS v0, ${quote(state)} AS v1 FROM ${view(table)} AS chart`,
    )
    const isLive = (written: string | null) => written === null || live.some((word) => word === written.toLowerCase())
    return rows.flatMap(([account, written]) =>
      account !== null && account !== undefined && isLive(written ?? null) ? [account] : [],
    )
  } catch (error) {
    const { kind, code } = asFault(error)
    // The table does not exist before the first completed run.
    if (code.endsWith('.changed')) return undefined
    // An unreachable database must not allow every account.
    if (error instanceof Fault && ['passing', 'busy', 'signIn'].includes(kind)) throw error
    return undefined
  }
}

async function listBooks(db: Db, { secrets }: Pick<AppServices, 'secrets'>, organisationId: string) {
  const connectors = await db
    .selectFrom('connector')
    .select(['id as connectorId', 'key as connectorKey', 'type', 'name'])
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'CONNECTED')
    .where('type', 'in', Object.keys(charts))
    .execute()
  const books: { place: TargetLocation; chart: AccountChart; name: string }[] = []
  for (const { type, name, ...connector } of connectors) {
    const own = await decryptSettings(db, secrets, { organisationId, ...connector })
    const settings = await applyDefaultTarget(db, secrets, { organisationId, ...connector }, own)
    const place = { organisationId, settings, schema: chooseSchema(settings, connector.connectorKey) }
    books.push({ place, chart: charts[type as keyof typeof charts], name })
  }
  return books
}
