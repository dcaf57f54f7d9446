/** A connector from a simulated Business Central to a target, and the rows that the target must have. */
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import { toSnakeCase } from '@tributary/engine/apis/http/fields'
import type { ConnectorProperties, OpenSource } from '@tributary/engine/ports/source'
import type { Row, Value } from '@tributary/sims/business-central/company'
import {
  type BusinessCentral,
  type BusinessCentralOptions,
  startBusinessCentral,
} from '@tributary/sims/business-central/server'
import { entityTypes, typeOfSet } from '@tributary/sims/business-central/sets'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'

interface SimulatedBusinessCentral extends AsyncDisposable {
  readonly sim: BusinessCentral
  readonly clock: SharedClock
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

interface BusinessCentralConnector extends ApiConnector, Pick<SimulatedBusinessCentral, 'sim' | 'clock'> {
  /** Differences between target and simulator; empty if every row is equal. */
  differences(): Promise<readonly string[]>
}

export async function simulateBusinessCentral(
  options: Partial<BusinessCentralOptions> = {},
): Promise<SimulatedBusinessCentral> {
  const clock = sharedClock()
  const sim = await startBusinessCentral({ clock, seed: 7, documents: 40, ...options })
  const source = describedSources.find(({ type }) => type === 'business-central')
  if (source === undefined) throw new Error('The catalogue has no description of Business Central.')
  return {
    sim,
    clock,
    async open(signal = new AbortController().signal, more = {}) {
      const { tenant, environment, client, secret, url } = sim
      const settings = { tenant, environment, client, secret, address: url }
      const properties = Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [`business-central.${name}`, value]),
      )
      return await source.open(source.parse({ ...properties, ...more }), { network: openNetwork, clock, signal })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

export async function connectBusinessCentral(
  options: Partial<BusinessCentralOptions> = {},
  to: EndKind = 'postgres',
): Promise<BusinessCentralConnector> {
  const there = await simulateBusinessCentral(options)
  const connector = await connectApi(there, to)
  const { sim, clock } = there
  return {
    ...connector,
    sim,
    clock,
    differences: () => businessCentralDifferences(sim, connector.target),
  }
}

export function businessCentralDifferences(
  sim: BusinessCentral,
  target: Parameters<typeof differencesOf>[0],
): Promise<readonly string[]> {
  return differencesOf(target, expectedRows(sim))
}

type ExpectedRow = Readonly<Record<string, unknown>>

const tables: Readonly<Record<string, string>> = {
  companyInformation: 'company_information',
  accounts: 'account',
  accountingPeriods: 'accounting_period',
  currencies: 'currency',
  paymentTerms: 'payment_term',
  dimensions: 'dimension',
  dimensionValues: 'dimension_value',
  bankAccounts: 'bank_account',
  customers: 'customer',
  vendors: 'vendor',
  items: 'item',
  generalLedgerEntries: 'general_ledger_entry',
  salesInvoices: 'sales_invoice',
  salesCreditMemos: 'sales_credit_memo',
  purchaseInvoices: 'purchase_invoice',
}

/** Of all tables except the trial balance, which the tie-out compares. */
function expectedRows({ companies }: BusinessCentral): ReadonlyMap<string, readonly ExpectedRow[]> {
  const found = new Map<string, ExpectedRow[]>()
  const add = (table: string, rows: readonly ExpectedRow[]): void =>
    void found.set(table, [...(found.get(table) ?? []), ...rows])
  for (const company of companies)
    for (const [set, table] of Object.entries(tables)) {
      const rows = company.rows(set)
      add(
        table,
        rows.map((row) => expectedRow(company.id, set, row)),
      )
      for (const [list, lineSet] of Object.entries(typeOfSet(set)?.lists ?? {}))
        add(
          `${table}_${toSnakeCase(list)}`,
          rows.flatMap((row) => linesOf(row, list).map((line) => lineRow(company.id, { row, line, lineSet }))),
        )
    }
  return found
}

function linesOf(row: Row, list: string): readonly Row[] {
  const lines = row[list]
  return Array.isArray(lines) ? (lines as readonly Row[]) : []
}

const leftOut = new Set(['picture', 'remainingAmount'])

function expectedRow(company: string, set: string, row: Row): ExpectedRow {
  const { properties = {} } = entityTypes.find((type) => type.set === set) ?? {}
  const values = Object.keys(properties)
    .filter((name) => !leftOut.has(name))
    .map((name) => [toSnakeCase(name), textOf(row[name] ?? null)] as const)
  return { company_id: company, ...Object.fromEntries(values) }
}

/** The document's id comes first, so the id of the line is the second one. */
function lineRow(company: string, { row, line, lineSet }: { row: Row; line: Row; lineSet: string }): ExpectedRow {
  const { id, ...values } = expectedRow(company, lineSet, { ...line, documentId: row['id'] ?? null })
  return { ...values, id: textOf(row['id'] ?? null), id_2: id }
}

function textOf(value: Value): unknown {
  if (typeof value === 'bigint') return hundredths(value)
  return value === '0001-01-01' ? null : value
}

function hundredths(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/u, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}${fraction === '' ? '' : `.${fraction}`}`
}
