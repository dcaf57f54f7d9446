/** Reads the months of a report, and the rows of some months of any other set. */
import type { RowBatch } from '../../../../ports/model.ts'
import type { ReadRequest } from '../../../../ports/source.ts'
import { encodeDocuments } from '../../../http/documents.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import type { MonthSettings } from '../../description/schema-odata.ts'
import { lastDayOf, type Month, plusMonths } from '../../months/calendar.ts'
import { type MonthlyReport, readByMonth } from '../../months/read-by-month.ts'
import { allOf, type ODataApi } from '../api.ts'
import { readByCompany } from '../company-reads.ts'
import type { CompanyTable } from '../company-table.ts'
import { selectionOf, setIn, whereOf } from '../conditions.ts'
import { dayIn } from '../dated/date-windows.ts'
import { deletionTestOf } from '../deletions.ts'
import { Occurrences } from '../duplicate-keys.ts'
import { hasCode } from '../faults.ts'
import type { EdmProperty } from '../metadata/edmx.ts'
import { dayLiteral } from '../metadata/literals.ts'
import { companyProperty, type ODataTable } from '../metadata/tables.ts'
import { numberRows } from '../rows.ts'

export async function* readMonthly(
  api: ODataApi,
  table: ODataTable,
  settings: MonthSettings,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const report = (company: string): MonthlyReport => reportIn({ api, table, company }, settings)
  if (request.months === undefined) {
    yield* readByCompany(table.setNames.keys(), request.since, (company, since) =>
      readByMonth(report(company), { log: request.log, since }),
    )
    return
  }
  for (const company of table.setNames.keys()) yield* readByMonth(report(company), request)
}

function reportIn(of: CompanyTable, { property, first, balances }: MonthSettings): MonthlyReport {
  const { api, table, company } = of
  const date = reportDate(table, property)
  const literal = (day: string): string => dayLiteral(date, day, api.description.service.literals)
  return {
    name: table.name,
    shape: table.shape,
    hasBalances: balances,
    members: { [companyProperty]: company },
    now: () => api.described.now(),
    firstDay: () => firstDay(of, first),
    rows: (month) =>
      allRows(of, `${property} ge ${literal(month)} and ${property} le ${literal(lastDayOf(month))}`, table.reportKey),
  }
}

/** Null if there are no entries, or if the login may not see them. */
async function firstDay(
  { api, company }: CompanyTable,
  { set, property }: MonthSettings['first'],
): Promise<string | null> {
  try {
    const [row] = await api.firstPage({ company, set, query: { $orderby: `${property} asc`, $top: '1' } })
    return row === undefined ? null : dayIn(row, { name: property })
  } catch (error) {
    if (hasCode(error, api.described, ['no_access', 'not_found'])) return null
    throw error
  }
}

function reportDate({ name, properties }: ODataTable, property: string): EdmProperty {
  const found = properties.flatMap(({ parts }) => parts).find((each) => each.name === property)
  if (found === undefined) throw new Error(`${name} has no property ${property}.`)
  return found
}

async function allRows(
  { api, table, company }: CompanyTable,
  condition: string,
  key: readonly EdmProperty[],
): Promise<readonly JsonObject[]> {
  const { filter } = table.description
  const $filter = allOf([...(filter === undefined ? [] : [filter]), condition])
  const found: JsonObject[] = []
  for await (const { rows, isRestart } of api.pages({ company, set: setIn(table, company), query: { $filter }, key })) {
    if (isRestart) found.length = 0
    found.push(...rows)
  }
  return found
}

/** The rows with a date in these months, without a checkpoint. */
export async function* readRowsOf(
  api: ODataApi,
  table: ODataTable,
  date: EdmProperty,
  months: readonly Month[],
): AsyncGenerator<RowBatch> {
  const literal = (day: string): string => dayLiteral(date, day, api.description.service.literals)
  const isDeleted = deletionTestOf(table.description)
  for (const company of table.setNames.keys())
    for (const month of months) {
      const condition = `${date.name} ge ${literal(month)} and ${date.name} lt ${literal(plusMonths(month, 1))}`
      const query = { ...whereOf(table, condition), ...selectionOf(table) }
      const numbering = { described: api.described, table, company, occurrences: new Occurrences() }
      for await (const { rows } of api.pages({ company, set: setIn(table, company), query, key: table.key })) {
        const present = rows.filter((row) => !isDeleted(row))
        yield* await encodeDocuments(table.shape, numberRows(numbering, present))
      }
    }
}
