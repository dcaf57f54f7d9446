/** All streams of Xero, grouped in the bundles by which they are licensed. */
import type { StreamBundle } from '../../ports/source.ts'
import { bankStreams } from './tables/bank.ts'
import { budgetStream, journalStream, statementStreams, trialBalanceStream } from './tables/books.ts'
import { companyStreams } from './tables/company.ts'
import { contactStreams } from './tables/contacts.ts'
import type { XeroStream } from './tables/stream-kinds.ts'
import { expenseStreams } from './tables/expenses.ts'
import { invoiceStreams, paidAheadStreams } from './tables/invoices.ts'
import { orderStreams } from './tables/orders.ts'
import { paymentStreams } from './tables/payments.ts'

interface XeroStreamBundle extends Omit<StreamBundle, 'streams' | 'base'> {
  readonly streams: readonly XeroStream[]
}

/** The report is last, so that the rows that it must match are already loaded. */
const base: XeroStreamBundle = {
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
    trialBalanceStream,
  ],
}

const streamBundles: readonly XeroStreamBundle[] = [
  base,
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
]

export const xeroStreams: readonly XeroStream[] = streamBundles.flatMap(({ streams }) => streams)

export const xeroBundles: readonly StreamBundle[] = streamBundles.map((bundle) => ({
  ...bundle,
  base: bundle === base,
  streams: bundle.streams.map(({ name }) => name),
}))

export function bundleOf(stream: XeroStream): string {
  return streamBundles.find(({ streams }) => streams.includes(stream))?.id ?? base.id
}
