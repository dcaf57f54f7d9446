/** What customers owe and what is owed to suppliers on a day, by contact and by how long it is overdue. */
import type { QuestionContext, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { isApproved } from '../ledger/document-kinds.ts'
import { isUnset, roundToCents, toBaseCurrency } from '../ledger/posting.ts'
import { utcOffsetMinutes } from './time-zones.ts'

type Side = 'receivable' | 'payable'

interface CreditTable {
  readonly table: 'credit_note' | 'overpayment' | 'prepayment'
  /** The type of a customer's credit, and of a supplier's. */
  readonly types: Readonly<Record<Side, string>>
  readonly dueDate: string
}

const creditTables: readonly CreditTable[] = [
  {
    table: 'credit_note',
    types: { receivable: 'ACCRECCREDIT', payable: 'ACCPAYCREDIT' },
    dueDate: 'COALESCE(c.due_date, c.date)',
  },
  {
    table: 'overpayment',
    types: { receivable: 'RECEIVE-OVERPAYMENT', payable: 'SPEND-OVERPAYMENT' },
    dueDate: 'c.date',
  },
  {
    table: 'prepayment',
    types: { receivable: 'RECEIVE-PREPAYMENT', payable: 'SPEND-PREPAYMENT' },
    dueDate: 'c.date',
  },
]

const invoiceTypes: Readonly<Record<Side, string>> = { receivable: 'ACCREC', payable: 'ACCPAY' }

/**
 * Every change of what is owed, with its date: an approved document, its payments, and its allocations. Payments count
 * at the rate of the document that they pay, so that the sum is the balance of the control account.
 */
function changes(words: StatementNames, side: Side): string {
  const { table } = words
  const invoice = `${table('invoice')} AS i`
  const isInvoice = `i.type = '${invoiceTypes[side]}' AND ${isApproved('i.status')}`
  const ofInvoice =
    'i.invoice_id AS document_id, i.contact_id, i.contact_name, COALESCE(i.due_date, i.date) AS due_date'
  const change = (date: string, document: string, amount: string, from: string): string =>
    `SELECT ${date} AS changed_on, ${document}, ${amount} AS amount FROM ${from}`
  const paid = `-1 * ${toBaseCurrency('p.amount', 'i.currency_rate')}`
  return [
    change(
      'i.date',
      ofInvoice,
      toBaseCurrency('COALESCE(i.total, 0)', 'i.currency_rate'),
      `${invoice} WHERE ${isInvoice}`,
    ),
    change(
      'p.date',
      ofInvoice,
      paid,
      `${table('payment')} AS p JOIN ${invoice} ON i.invoice_id = p.invoice_id WHERE p.status = 'AUTHORISED' AND ${isInvoice}`,
    ),
    ...creditTables.flatMap(({ table: name, types, dueDate }) => {
      const credit = `${table(name)} AS c`
      const isCredit = `c.type = '${types[side]}' AND ${isApproved('c.status')}`
      const ofCredit = `c.${name}_id AS document_id, c.contact_id, c.contact_name, ${dueDate} AS due_date`
      const allocated = 'COALESCE(a.date, c.date)'
      const allocation = `${table(`${name}_allocation`)} AS a JOIN ${credit} ON c.${name}_id = a.${name}_id
        JOIN ${invoice} ON i.invoice_id = a.invoice_id WHERE ${isUnset('a.is_deleted')} AND ${isCredit}`
      return [
        change(
          'c.date',
          ofCredit,
          `-1 * ${toBaseCurrency('COALESCE(c.total, 0)', 'c.currency_rate')}`,
          `${credit} WHERE ${isCredit}`,
        ),
        change(
          'p.date',
          ofCredit,
          toBaseCurrency('p.amount', 'c.currency_rate'),
          `${table('payment')} AS p JOIN ${credit} ON c.${name}_id = p.${name}_id WHERE p.status = 'AUTHORISED' AND ${isCredit}`,
        ),
        change(allocated, ofCredit, toBaseCurrency('a.amount', 'c.currency_rate'), allocation),
        change(allocated, ofInvoice, `-1 * ${toBaseCurrency('a.amount', 'i.currency_rate')}`, allocation),
      ]
    }),
  ].join(' UNION ALL ')
}

interface AgedQuery {
  readonly side: Side
  /** A SELECT of the days, as `as_of`. */
  readonly days: string
}

function selectAged(words: StatementNames, { side, days }: AgedQuery): string {
  const { table, daysBetween } = words
  const bucket = (condition: string): string => roundToCents(`SUM(CASE WHEN ${condition} THEN x.amount ELSE 0 END)`)
  return `SELECT x.as_of, x.contact_id, MAX(COALESCE(k.name, x.contact_name)) AS contact_name,
      ${bucket('x.days <= 0')} AS not_due, ${bucket('x.days BETWEEN 1 AND 30')} AS days_1_30,
      ${bucket('x.days BETWEEN 31 AND 60')} AS days_31_60, ${bucket('x.days BETWEEN 61 AND 90')} AS days_61_90,
      ${bucket('x.days > 90')} AS days_over_90, ${roundToCents('SUM(x.amount)')} AS total
    FROM (SELECT d.as_of, e.contact_id, MAX(e.contact_name) AS contact_name, e.document_id,
        ${daysBetween('MAX(e.due_date)', 'd.as_of')} AS days, SUM(e.amount) AS amount
      FROM (${changes(words, side)}) AS e JOIN (${days}) AS d ON e.changed_on <= d.as_of
      GROUP BY d.as_of, e.contact_id, e.document_id) AS x
    LEFT JOIN ${table('contact')} AS k ON k.contact_id = x.contact_id
    WHERE x.amount <> 0 GROUP BY x.as_of, x.contact_id`
}

function today(words: StatementNames, { now }: QuestionContext): string {
  return `SELECT ${words.today(utcOffsetMinutes('o.timezone', now))} AS as_of FROM ${words.table('organisation')} AS o`
}

function monthEnds({ table, monthEnd }: StatementNames): string {
  return `SELECT ${monthEnd('m.month')} AS as_of FROM ${table('report_trial_balance_month')} AS m`
}

const agedStreams = [
  'Organisation',
  'Contacts',
  'Invoices',
  'CreditNotes',
  'Payments',
  'Overpayments',
  'Prepayments',
] as const

const described: Readonly<
  Record<Side, { readonly who: string; readonly documents: string; readonly account: string }>
> = {
  receivable: {
    who: 'customer',
    documents: 'Invoices less payments, credit notes, overpayments and prepayments of customers',
    account: 'Accounts Receivable',
  },
  payable: {
    who: 'supplier',
    documents: 'Bills less payments, credit notes, overpayments and prepayments of suppliers',
    account: 'Accounts Payable',
  },
}

function agedQuestion(side: Side, when: 'today' | 'monthEnds'): ReadyQuestion {
  const { who, documents, account } = described[side]
  const asOf = when === 'today' ? 'today in the company’s time zone' : 'the end of the month'
  const isSale = side === 'receivable'
  return {
    name: `aged_${side}s${when === 'today' ? '' : '_by_month'}`,
    title: `${isSale ? 'Who owes us money' : 'Whom do we owe money'}, and for how long${when === 'today' ? '' : ', at the end of each month'}?`,
    description: `${documents}, by contact and by days after the due date (a credit without one: after its date). Only approved documents count, with the payments and allocations dated until ${asOf}; voided ones do not count. Credits that are not used yet are negative. The total is the balance of ${account}. Amounts are in base currency at each document’s own rate; foreign currencies are not revalued.`,
    columns: [
      { name: 'as_of', description: when === 'today' ? 'Today.' : 'The last day of a month.' },
      { name: 'contact_id', description: `Xero’s id of the ${who}.` },
      { name: 'contact_name', description: `The ${who}’s present name.` },
      { name: 'not_due', description: 'Not due yet, or due on the day.' },
      { name: 'days_1_30', description: '1 to 30 days overdue.' },
      { name: 'days_31_60', description: '31 to 60 days overdue.' },
      { name: 'days_61_90', description: '61 to 90 days overdue.' },
      { name: 'days_over_90', description: 'More than 90 days overdue.' },
      { name: 'total', description: 'The sum of the five.' },
    ],
    requiredStreams: when === 'today' ? agedStreams : [...agedStreams, 'Reports/TrialBalance'],
    select: (words, context) =>
      selectAged(words, { side, days: when === 'today' ? today(words, context) : monthEnds(words) }),
  }
}

export const agedQuestions: readonly ReadyQuestion[] = [
  agedQuestion('receivable', 'today'),
  agedQuestion('receivable', 'monthEnds'),
  agedQuestion('payable', 'today'),
  agedQuestion('payable', 'monthEnds'),
]
