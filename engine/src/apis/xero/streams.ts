/** All streams of Xero, grouped in the bundles by which they are licensed. */
import { bundleStreams } from '../http/stream-bundles.ts'
import { bankStreams } from './tables/bank.ts'
import { budgetStream, journalStream, statementStreams, trialBalanceStream } from './tables/books.ts'
import { companyStreams } from './tables/company.ts'
import { contactStreams } from './tables/contacts.ts'
import type { XeroStream } from './tables/stream-kinds.ts'
import { expenseStreams } from './tables/expenses.ts'
import { invoiceStreams, paidAheadStreams } from './tables/invoices.ts'
import { orderStreams } from './tables/orders.ts'
import { paymentStreams } from './tables/payments.ts'

export const {
  streams: xeroStreams,
  bundles: xeroBundles,
  bundleOf,
  findStream,
} = bundleStreams<XeroStream>('Xero', [
  {
    id: 'Base',
    title: 'Ledger and contacts',
    description:
      'Accounts, contacts and items; invoices, credit notes, payments, bank transactions, expense claims and manual journals, line by line; the trial balance by month.',
    streams: [
      ...companyStreams,
      ...contactStreams,
      ...invoiceStreams,
      ...paymentStreams,
      ...paidAheadStreams,
      ...bankStreams,
      ...expenseStreams,
      // The report is last, so that the rows that it must match are already loaded.
      trialBalanceStream,
    ],
  },
  {
    id: 'Orders',
    title: 'Sales and purchases',
    description: 'Purchase orders, quotes, repeating invoices and billable expenses.',
    streams: orderStreams,
  },
  {
    id: 'Budgets',
    title: 'Budgets',
    description: 'Budgets by account and month.',
    streams: [budgetStream],
  },
  {
    id: 'Reports',
    title: 'Reports',
    description: 'Profit and loss and balance sheet as Xero reports them, by month.',
    streams: statementStreams,
  },
  {
    id: 'Journals',
    title: 'Journals',
    description: 'Every entry of the ledger, where Xero allows the application to read them.',
    streams: [journalStream],
  },
])
