/** The run profiles of the trial's connectors. */
import type { RunProfile } from './history.ts'
import { trialPeople } from './people.ts'

const [, , admin, user] = trialPeople.map(({ id }) => id)

export function shopProfile(hours: readonly number[], seed: number): RunProfile {
  return {
    seed,
    hours,
    people: [admin ?? '', user ?? ''],
    seconds: 6,
    streams: [
      { name: 'shop.customers', table: 'shop_customers', rows: 2_000, changes: 9 },
      { name: 'shop.order_lines', table: 'shop_order_lines', rows: 36_000, changes: 140 },
      { name: 'shop.orders', table: 'shop_orders', rows: 12_000, changes: 55 },
      { name: 'shop.products', table: 'shop_products', rows: 400, changes: 12 },
    ],
    addedColumn: { stream: 'shop.orders', table: 'shop_orders', column: 'note', type: 'text' },
    reject: {
      table: 'shop_orders',
      column: 'placed_at',
      reason: 'The time lies beyond what the target can store.',
      row: { id: '4711', customer_id: '86', status: 'paid', placed_at: '294276-12-31 23:59:59+00', total: '119.90' },
    },
  }
}

export function stockProfile(seed: number): RunProfile {
  const names = [
    'account',
    'tax',
    'customer',
    'supplier',
    'product',
    'productavailability',
    'location',
    'saleList',
    'purchaseList',
  ]
  const rows = [90, 12, 140, 35, 260, 780, 4, 640, 210]
  return {
    seed,
    hours: [6],
    people: [admin ?? ''],
    seconds: 38,
    streams: names.map((name, index) => ({
      name,
      table: name,
      rows: rows[index] ?? 10,
      changes: Math.ceil((rows[index] ?? 10) / 30),
    })),
  }
}

export function ledgerProfile(seed: number): RunProfile {
  const streams = [
    { name: 'DebtorClient', table: 'debtor', rows: 60, changes: 2 },
    { name: 'InvItemClient', table: 'inv_item', rows: 60, changes: 2 },
    { name: 'GLTransClient', table: 'gl_trans', rows: 860, changes: 12 },
    { name: 'DebtorInvoiceClient', table: 'debtor_invoice', rows: 195, changes: 3 },
    { name: 'DebtorInvoiceLines', table: 'debtor_invoice_lines', rows: 580, changes: 9 },
    { name: 'InvTransClient', table: 'inv_trans', rows: 670, changes: 10 },
  ]
  return { seed, hours: [3], people: [admin ?? '', user ?? ''], seconds: 9, streams }
}

export function booksProfile(seed: number): RunProfile {
  const streams = [
    { name: 'Accounts', table: 'account', rows: 60, changes: 1 },
    { name: 'Contacts', table: 'contact', rows: 80, changes: 2 },
    { name: 'Items', table: 'item', rows: 20, changes: 1 },
    { name: 'Invoices', table: 'invoice', rows: 400, changes: 6 },
    { name: 'CreditNotes', table: 'credit_note', rows: 20, changes: 1 },
    { name: 'Payments', table: 'payment', rows: 330, changes: 5 },
    { name: 'BankTransactions', table: 'bank_transaction', rows: 120, changes: 3 },
    { name: 'ManualJournals', table: 'manual_journal', rows: 30, changes: 1 },
    { name: 'Reports/TrialBalance', table: 'report_trial_balance', rows: 300, changes: 4 },
  ]
  return { seed, hours: [6, 12, 18], people: [admin ?? '', user ?? ''], seconds: 14, streams }
}
