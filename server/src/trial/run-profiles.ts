/** The run profiles of the trial's connectors. */
import type { RunProfile } from './history.ts'
import { trialPersonId } from './people.ts'

const admin = trialPersonId('admin@demo.example')
const user = trialPersonId('user@demo.example')

export function shopProfile(hours: readonly number[], seed: number): RunProfile {
  return {
    seed,
    hours,
    people: [admin, user],
    seconds: 6,
    streams: streamsOf([
      ['shop.customers', 'shop_customers', 2_000, 9],
      ['shop.order_lines', 'shop_order_lines', 36_000, 140],
      ['shop.orders', 'shop_orders', 12_000, 55],
      ['shop.products', 'shop_products', 400, 12],
    ]),
    addedColumn: { stream: 'shop.orders', tableName: 'shop_orders', columnName: 'note', after: 'text' },
    reject: {
      table: 'shop_orders',
      column: 'placed_at',
      reason: 'The time lies beyond what the target can store.',
      row: { id: '4711', customer_id: '86', status: 'paid', placed_at: '294276-12-31 23:59:59+00', total: '119.90' },
    },
  }
}

export function stockProfile(seed: number): RunProfile {
  const rows = {
    account: 90,
    tax: 12,
    customer: 140,
    supplier: 35,
    product: 260,
    productavailability: 780,
    location: 4,
    saleList: 640,
    purchaseList: 210,
  }
  return {
    seed,
    hours: [6],
    people: [admin],
    seconds: 38,
    streams: streamsOf(Object.entries(rows).map(([name, count]) => [name, name, count, Math.ceil(count / 30)])),
  }
}

export function ledgerProfile(seed: number): RunProfile {
  const streams = streamsOf([
    ['DebtorClient', 'debtor', 60, 2],
    ['InvItemClient', 'inv_item', 60, 2],
    ['GLTransClient', 'gl_trans', 860, 12],
    ['DebtorInvoiceClient', 'debtor_invoice', 195, 3],
    ['DebtorInvoiceLines', 'debtor_invoice_lines', 580, 9],
    ['InvTransClient', 'inv_trans', 670, 10],
  ])
  return { seed, hours: [3], people: [admin, user], seconds: 9, streams }
}

export function booksProfile(seed: number): RunProfile {
  const streams = streamsOf([
    ['Accounts', 'account', 60, 1],
    ['Contacts', 'contact', 80, 2],
    ['Items', 'item', 20, 1],
    ['Invoices', 'invoice', 400, 6],
    ['CreditNotes', 'credit_note', 20, 1],
    ['Payments', 'payment', 330, 5],
    ['BankTransactions', 'bank_transaction', 120, 3],
    ['ManualJournals', 'manual_journal', 30, 1],
    ['Reports/TrialBalance', 'report_trial_balance', 300, 4],
  ])
  return { seed, hours: [6, 12, 18], people: [admin, user], seconds: 14, streams }
}

function streamsOf(
  rows: readonly (readonly [name: string, tableName: string, rows: number, changes: number])[],
): RunProfile['streams'] {
  return rows.map(([name, tableName, count, changes]) => ({ name, tableName, rows: count, changes }))
}
