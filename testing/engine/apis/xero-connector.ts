/** A simulated company at Xero, a target, and the runs between them. */
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { type ApiConnector, connectApi } from './api-connector.ts'
import { differencesOf } from '../databases/differences.ts'
import type { End, Kind } from '../databases/database-ends.ts'
import { simulated } from './simulated-xero.ts'
import type { Simulated } from './simulated-xero.ts'
import { expectedRows } from './xero-rows.ts'
import type { Asked, Row } from './xero-rows.ts'

export interface XeroConnector extends Omit<Simulated, 'open'>, ApiConnector {
  /**
   * What the target holds otherwise than the simulator, in all tables or some: empty where they are equal, row for row.
   * @param but columns that are not compared.
   * @param of the company, where it is not the usual one.
   */
  differences(tables?: RegExp, but?: RegExp, of?: string): Promise<readonly string[]>
}

export async function connectXero(
  options: Parameters<typeof simulated>[0] = {},
  to: Kind | 'sqlserver' = 'postgres',
): Promise<XeroConnector> {
  const there = await simulated(options)
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

interface Compared {
  readonly target: Pick<End, 'read'>
  readonly tables?: RegExp
  readonly but?: RegExp
}

/** @param asked when the company was looked at, and whether journals were asked for. */
export function xeroDifferences(
  sim: XeroSimulator,
  tenantId: string,
  asked: Asked,
  { target, tables = /./, but = /^$/ }: Compared,
) {
  const all = [...expectedRows(sim, tenantId, asked)].filter(([table]) => tables.test(table))
  return differencesOf(
    target,
    new Map(all.map(([table, rows]) => [table, rows.map((row) => kept(table, row, but))])),
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
const nowhere = /_string$|has_(validation_)?errors$|^(id|item_name|invoice_is_discounted)$/
const nowhereOf: Readonly<Record<string, RegExp>> = {
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

/** @param but what is not compared this time. */
function kept(table: string, row: Row, but: RegExp): Row {
  const columns = Object.entries(row).map(([name, value]) => [name.replace(balances, '$1'), value] as const)
  return Object.fromEntries(
    columns.filter(([name]) => ![nowhere, nowhereOf[table], but].some((left) => left?.test(name) === true)),
  )
}
