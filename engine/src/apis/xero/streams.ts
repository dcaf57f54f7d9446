/** Every stream of Xero that Tributary moves, in the bundles it is licensed by. */
import type { StreamBundle } from '../../ports/source.ts'
import { bankStreams } from './tables/bank.ts'
import { budgetStream, journalStream, statementStreams, trialBalanceStream } from './tables/books.ts'
import { companyStreams } from './tables/company.ts'
import { contactStreams } from './tables/contacts.ts'
import type { XeroStream } from './tables/declare.ts'
import { expenseStreams } from './tables/expenses.ts'
import { invoiceStreams, paidAheadStreams } from './tables/invoices.ts'
import { orderStreams } from './tables/orders.ts'
import { paymentStreams } from './tables/payments.ts'

interface Shelf extends Omit<StreamBundle, 'streams' | 'base'> {
  readonly streams: readonly XeroStream[]
}

/** The report comes last: what it must add up to is then there. */
const base: Shelf = {
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

const shelves: readonly Shelf[] = [
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

export const xeroStreams: readonly XeroStream[] = shelves.flatMap(({ streams }) => streams)

export const xeroBundles: readonly StreamBundle[] = shelves.map((shelf) => ({
  ...shelf,
  base: shelf === base,
  streams: shelf.streams.map(({ name }) => name),
}))

export function bundleOf(stream: XeroStream): string {
  return shelves.find(({ streams }) => streams.includes(stream))?.id ?? base.id
}
