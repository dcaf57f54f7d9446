/** Finds the loaded plans that ready questions can compare with actual figures: those in the database that a run writes to. */
import { plainName } from '@tributary/contract/sheet-headings'
import type { ColumnType } from '@tributary/contract/column-types'
import { asFault } from '@tributary/engine/ports/faults'
import type { BudgetHistory, BudgetTable } from '@tributary/engine/ports/questions'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { chooseTarget } from '../../connections/connectors/connector-types.ts'
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { describeTarget, openTarget, type TargetLocation } from '../../connections/databases/open-target.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findOrganisationTables } from '../../planning/tables/organisation-database.ts'

interface BudgetTableRequest {
  readonly organisationId: string
  /** The settings of the run's target. */
  readonly settings: ConnectorProperties
  readonly warehouseTarget: WarehouseTarget
  readonly signal: AbortSignal
  /** Gets a line for each plan that is left out, and why. */
  readonly log: (line: string) => void
}

type BudgetTableServices = Pick<ConnectionServices, 'clock' | 'network' | 'secrets' | 'store'>

/** Faults are logged, because a plan must not keep a run from its rows. */
export async function listBudgetTables(
  services: BudgetTableServices,
  request: BudgetTableRequest,
): Promise<readonly BudgetTable[]> {
  try {
    const { location, versions } = await services.store.within(request.organisationId, async (db) => {
      const found = await findOrganisationTables(db, services, request.organisationId)
      return { location: found, versions: await listLoadedVersions(db, request.organisationId, describeTarget(found)) }
    })
    if (versions.length === 0 || !isSameDatabase(location.settings, request.settings)) return []
    const plans = versions.flatMap((version) => choosePlan(version) ?? [])
    if (plans.length === 0) return []
    for (const { name } of versions.filter(({ id }) => !plans.some((plan) => plan.id === id)))
      request.log(
        `‘${name}’ is not compared with the actual figures in budget_against_actual: it needs a column Month, Period or Date with dates, and a column Amount, Budget or Value with numbers.`,
      )
    return await addTableNames(services, request, { location, plans })
  } catch (error) {
    request.signal.throwIfAborted()
    request.log(
      `The loaded plans could not be read, so budget_against_actual is not up to date. ${asFault(error).notice} The next run tries again.`,
    )
    return []
  }
}

/** A view can read both only within one database, under one login. */
function isSameDatabase(one: ConnectorProperties, other: ConnectorProperties): boolean {
  const [first, second] = [chooseTarget(one), chooseTarget(other)]
  if (first === null || second === null) return first === second
  return (
    first.kind === second.kind &&
    JSON.stringify(one['target.connectionString']) === JSON.stringify(other['target.connectionString'])
  )
}

interface LoadedVersion {
  readonly id: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
}

/** Versions that are not archived, with the columns of their latest load. @param place of their tables */
async function listLoadedVersions(db: Db, organisationId: string, place: string): Promise<readonly LoadedVersion[]> {
  const found = await db
    .selectFrom('version')
    .innerJoin('status', 'status.id', 'version.statusId')
    .innerJoin('load', 'load.versionId', 'version.id')
    .distinctOn('version.id')
    .select(['version.id', 'version.name', 'load.types'])
    .where('version.organisationId', '=', organisationId)
    .where('version.tablePlace', '=', place)
    .where('status.name', '<>', 'archived')
    .where('load.committingAt', 'is not', null)
    .orderBy('version.id')
    .orderBy('load.committingAt', 'desc')
    .execute()
  return found.map(({ id, name, types }) => ({ id, name, columns: types as LoadedVersion['columns'] }))
}

interface BudgetPlan extends Omit<BudgetTable, 'table'> {
  readonly id: string
}

const amountNames = ['amount', 'budget', 'value']
const monthNames = ['month', 'period', 'date']
const accountNames = ['account', 'account code', 'accountcode']

/** Undefined if the version has no column for the amount or the month. */
function choosePlan({ id, name, columns }: LoadedVersion): BudgetPlan | undefined {
  const find = (names: readonly string[], types: readonly ColumnType[]): string | undefined =>
    names
      .map((wanted) => columns.find((column) => plainName(column.name) === wanted && types.includes(column.type)))
      .find((column) => column !== undefined)?.name
  const [amount, month] = [find(amountNames, ['number']), find(monthNames, ['date', 'moment'])]
  // Codes such as 090 are text. As numbers they would have lost their zeros.
  if (amount === undefined || month === undefined) return undefined
  return { id, version: name, amount, month, account: find(accountNames, ['text']) ?? null }
}

interface PlanLocation {
  readonly location: TargetLocation
  readonly plans: readonly BudgetPlan[]
}

/** A table may have another name than its version, for example if the version was renamed. */
async function addTableNames(
  { clock, network }: BudgetTableServices,
  { warehouseTarget, signal }: BudgetTableRequest,
  { location, plans }: PlanLocation,
): Promise<readonly BudgetTable[]> {
  await using target = await openTarget(location, { clock, network, signal }, warehouseTarget)
  let quoted = (name: string): string => target.facts.quote(name)
  const rows = await target.select(({ view }) => {
    // The names in MySQL have the prefix already.
    if (target.facts.kind !== 'mysql') quoted = view
    return `SELECT t.stream AS stream, t.name AS name FROM ${view('tributary_table')} AS t WHERE t.name NOT LIKE 'tributary%'`
  })
  const names = new Map(rows.map(([stream, name]) => [stream ?? '', name ?? '']))
  const histories = await readHistories(target)
  return plans.flatMap(({ id, ...plan }) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ ...plan, table: quoted(name), history: histories.get(name) ?? null }]
  })
}

/** By table. Empty in a database that no load has written to since histories are kept of plans. */
async function readHistories(target: OpenTarget): Promise<ReadonlyMap<string, BudgetHistory>> {
  const rows = await target
    .select(
      ({ view }) =>
        `SELECT h.table_name AS name, h.since AS since, h.as_of_select AS text FROM ${view('tributary_history')} AS h WHERE h.ended_at IS NULL`,
    )
    .catch((error: unknown) => {
      if (asFault(error).code.endsWith('.changed')) return []
      throw error
    })
  return new Map(
    rows.flatMap(([name, since, text]): [string, BudgetHistory][] =>
      name == null || since == null || text == null ? [] : [[name, { since, select: (moment) => asOf(text, moment) }]],
    ),
  )
}

/** The stored SELECT has `?` in place of the moment, and ends with a comment. */
function asOf(stored: string, moment: string): string {
  const [select = ''] = /^.*(?= -- )/su.exec(stored) ?? [stored]
  return select.replace(/<= \?(.*)> \?\)$/su, (_all, between: string) => `<= ${moment}${between}> ${moment})`)
}
