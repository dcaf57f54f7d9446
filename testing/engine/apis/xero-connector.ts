/** A connector from a simulated Xero company to a target. */
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { type ApiConnector, connectApi } from './api-connector.ts'
import { differencesOf } from '../databases/differences.ts'
import type { DatabaseEnd, EndKind } from '../databases/database-ends.ts'
import { simulateXero } from './simulated-xero.ts'
import type { SimulatedXero } from './simulated-xero.ts'
import { expectedRows } from './xero-rows.ts'
import type { ExpectedRowsOptions, ExpectedXeroRow } from './xero-rows.ts'

export interface XeroConnector extends Omit<SimulatedXero, 'open'>, ApiConnector {
  /**
   * Differences between target and simulator, in all tables or some; empty if every row is equal.
   * @param but columns that are not compared
   * @param of the company; the connector's by default
   */
  differences(tables?: RegExp, but?: RegExp, of?: string): Promise<readonly string[]>
}

export async function connectXero(
  options: Parameters<typeof simulateXero>[0] = {},
  to: EndKind | 'sqlserver' = 'postgres',
): Promise<XeroConnector> {
  const there = await simulateXero(options)
  const made = await connectApi(there, to)
  const { sim, clock, tenantId, authorisation } = there
  const withJournals = options.tier === 'advanced'
  return {
    sim,
    clock,
    tenantId,
    authorisation,
    ...made,
    differences: (tables, but, of = tenantId) =>
      xeroDifferences(
        sim,
        of,
        { now: clock.now(), withJournals },
        { target: made.target, ...(tables && { tables }), ...(but && { but }) },
      ),
  }
}

interface ComparisonOptions {
  readonly target: Pick<DatabaseEnd, 'read'>
  readonly tables?: RegExp
  readonly but?: RegExp
}

/** @param options when the company was read, and whether journals were */
export function xeroDifferences(
  sim: XeroSimulator,
  tenantId: string,
  options: ExpectedRowsOptions,
  { target, tables = /./, but = /^$/ }: ComparisonOptions,
) {
  const all = [...expectedRows(sim, tenantId, options)].filter(([table]) => tables.test(table))
  return differencesOf(
    target,
    new Map(all.map(([table, rows]) => [table, rows.map((row) => comparedColumns(table, row, but))])),
    isElsewhere,
  )
}

/** Values that have columns for their nested fields or a separate table, or that an id makes superfluous. */
function isElsewhere(name: string, value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || name === 'line_no' || name === 'ordinal'
}

/**
 * Left out on purpose: repeated dates and keys, Xero's remarks about a request, and fields of documents that have
 * another row.
 */
const uncomparedColumns = /_string$|has_(validation_)?errors$|^(id|item_name|invoice_is_discounted)$/
const uncomparedColumnsOf: Readonly<Record<string, RegExp>> = {
  tracking_option: /^is_/,
  contact_group_member: /^status$/,
  contact_sales_tracking_category: /_id$/,
  contact_purchases_tracking_category: /_id$/,
  invoice_payment: /^batch_payment_id$/,
  credit_note: /^sent_to_email$/,
  payment: /^(invoice|credit_note|overpayment|prepayment)_(type|is|contact|currency)|^batch_payment_(?!id$)/,
  batch_payment_payment: /^bank_amount$/,
  quote: /^contact_(email|first|last)/,
  expense_claim: /^user_(?!id$)/,
  expense_claim_receipt: /^(status|user|contact|updated|reference|line_amount|sub_total|total_tax|has_attachments)/,
  expense_claim_payment: /^payment_type$/,
  receipt: /^user_(?!id$)/,
  budget_line: /^unit_amount$/,
}
const balances = /^balances_accounts_((?:receivable|payable)_\w+)$/

/** @param but further columns that are not compared */
function comparedColumns(table: string, row: ExpectedXeroRow, but: RegExp): ExpectedXeroRow {
  const columns = Object.entries(row).map(([name, value]) => [name.replace(balances, '$1'), value] as const)
  return Object.fromEntries(
    columns.filter(
      ([name]) => ![uncomparedColumns, uncomparedColumnsOf[table], but].some((left) => left?.test(name) === true),
    ),
  )
}
