/** A connector that moves three companies of a simulated Xero into one set of tables. */
import { combineCompanies } from '@tributary/engine/companies/combine-companies'
import type { NamedCompany } from '@tributary/engine/ports/companies'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SimulatedXero, simulateXero } from '../apis/simulated-xero.ts'

export interface XeroCompanies extends Pick<SimulatedXero, 'sim' | 'clock'>, ApiConnector {
  /** The companies that are read; tests may change the list. */
  readonly chosen: NamedCompany[]
  /** Connectors of one company each, in the same order, with databases of their own. */
  readonly single: readonly ApiConnector[]
  /** Tables in which the rows of a company differ from those of the connector that has only this company. */
  differences(company: NamedCompany): Promise<readonly string[]>
}

const tablesSql = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'Shop' AND table_type = 'BASE TABLE'
  AND table_name NOT LIKE 'tributary\\_%' ORDER BY 1`

export async function connectXeroCompanies(options: Parameters<typeof simulateXero>[0] = {}): Promise<XeroCompanies> {
  const there = await simulateXero(options)
  const { sim, clock } = there
  const all: readonly NamedCompany[] = sim.companies.slice(0, 3).map(({ tenantId: id, name }) => ({ id, name }))
  const chosen = [...all]
  const log: string[] = []
  const openOne = (id: string, signal: AbortSignal) => there.open(signal, { 'xero.tenantId': id })
  const open = (signal: AbortSignal) =>
    combineCompanies({
      companies: chosen.map((each) => ({
        ...each,
        country: null,
        currency: null,
        open: () => openOne(each.id, signal),
      })),
      kept: [],
      log: (line) => void log.push(line),
      signal,
    })
  const made = await connectApi({ clock, open, [Symbol.asyncDispose]: () => there[Symbol.asyncDispose]() }, 'postgres')
  const single: ApiConnector[] = []
  for (const { id } of all)
    single.push(
      await connectApi({ clock, open: (signal) => openOne(id, signal), async [Symbol.asyncDispose]() {} }, 'postgres'),
    )
  return {
    sim,
    clock,
    chosen,
    single,
    ...made,
    differences: async (company) => {
      const own = single[all.findIndex(({ id }) => id === company.id)]
      const tables = (await own?.query(tablesSql))?.map(({ name }) => String(name)) ?? []
      const found: string[] = []
      for (const table of tables) {
        const expected = await rowsOf(own, table, null)
        const rows = await rowsOf(made, table, company.id)
        if (JSON.stringify(rows) !== JSON.stringify(expected))
          found.push(
            `${table}: ${rows.find((row, at) => row !== expected[at])} for ${expected.find((row, at) => row !== rows[at])}`,
          )
      }
      return tables.length < 50 ? ['The tables were not found.'] : found
    },
    async [Symbol.asyncDispose]() {
      for (const each of single) await each[Symbol.asyncDispose]()
      await made[Symbol.asyncDispose]()
    },
  }
}

/** Sorted, as JSON. @param company null for all rows */
async function rowsOf(
  connector: ApiConnector | undefined,
  table: string,
  company: string | null,
): Promise<readonly string[]> {
  const { columns = [], rows = [] } = (await connector?.target.read(table)) ?? {}
  const at = columns.indexOf('company_id')
  const own = company === null ? rows : rows.filter((row) => row[at] === company)
  const named = (row: (typeof rows)[number]) =>
    Object.fromEntries(columns.flatMap((name, place) => (place === at ? [] : [[name, row[place]]])))
  return own.map((row) => JSON.stringify(named(row))).toSorted()
}
