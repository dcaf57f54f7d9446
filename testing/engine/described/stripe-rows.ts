/** The rows that the target of a Stripe connector must have, computed from the simulator's objects and not from the description. */
import { type Collection, collections, type StripeAccount } from '@tributary/sims/stripe/account'
import type { StripeObject } from '@tributary/sims/stripe/objects'

type Row = Readonly<Record<string, unknown>>

const tables: Readonly<Record<Collection, string>> = {
  customers: 'customer',
  products: 'product',
  prices: 'price',
  coupons: 'coupon',
  subscriptions: 'subscription',
  invoices: 'invoice',
  invoiceitems: 'invoice_item',
  credit_notes: 'credit_note',
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  payouts: 'payout',
  balance_transactions: 'balance_transaction',
}

export function stripeRows(account: Pick<StripeAccount, 'all' | 'rowsOf'>): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, readonly Row[]>()
  for (const collection of collections) rows.set(tables[collection], account.all(collection).map(rowOf))
  const within = (collection: Collection, parent: string): readonly Row[] =>
    account
      .all(collection)
      .flatMap(({ id }) => account.rowsOf(id).map((row) => ({ ...rowOf(row), [`${parent}_id`]: id })))
  rows.set('invoice_line', within('invoices', 'invoice'))
  rows.set('credit_note_line', within('credit_notes', 'credit_note'))
  rows.set('subscription_item', within('subscriptions', 'subscription'))
  rows.set(
    'balance_transaction_fee',
    account.all('balance_transactions').flatMap(({ id, fee_details: fees }) =>
      (fees as readonly StripeObject[]).map(({ type, amount, currency, description }, index) => ({
        balance_transaction_id: id,
        ordinal: index + 1,
        type,
        amount,
        currency,
        currency_digits: digitsOf(currency),
        description,
      })),
    ),
  )
  return rows
}

const digits: Readonly<Record<string, number>> = { usd: 2, eur: 2, jpy: 0, kwd: 3 }

function digitsOf(currency: unknown): number | null {
  return typeof currency === 'string' ? (digits[currency] ?? null) : null
}

const moments =
  /^(created|updated|date|available_on|arrival_date|start_date|billing_cycle_anchor|cancel_at|canceled_at|ended_at|effective_at|due_date|voided_at|redeem_by|(current_)?(period|trial)_(start|end)|finalized_at|paid_at|marked_uncollectible_at|evidence_due_by)$/u

/** Where each kind of object has the values of columns that are not its own members. */
const within: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customer: {
    address_line1: 'address/line1',
    address_city: 'address/city',
    address_postal_code: 'address/postal_code',
    address_country: 'address/country',
  },
  price: {
    recurring_interval: 'recurring/interval',
    recurring_interval_count: 'recurring/interval_count',
    recurring_usage_type: 'recurring/usage_type',
  },
  subscription_item: { price: 'price/id', product: 'price/product' },
  invoice: {
    subscription: 'parent/subscription_details/subscription',
    finalized_at: 'status_transitions/finalized_at',
    paid_at: 'status_transitions/paid_at',
    voided_at: 'status_transitions/voided_at',
    marked_uncollectible_at: 'status_transitions/marked_uncollectible_at',
  },
  line_item: {
    parent_type: 'parent/type',
    invoice_item: 'parent/invoice_item_details/invoice_item',
    subscription_item: 'parent/subscription_item_details/subscription_item',
    period_start: 'period/start',
    period_end: 'period/end',
    price: 'pricing/price_details/price',
    product: 'pricing/price_details/product',
    unit_amount_decimal: 'pricing/unit_amount_decimal',
  },
  invoiceitem: {
    period_start: 'period/start',
    period_end: 'period/end',
    price: 'pricing/price_details/price',
    product: 'pricing/price_details/product',
  },
  charge: {
    payment_method_type: 'payment_method_details/type',
    card_brand: 'payment_method_details/card/brand',
    card_country: 'payment_method_details/card/country',
    card_last4: 'payment_method_details/card/last4',
    outcome_type: 'outcome/type',
  },
  dispute: {
    evidence_due_by: 'evidence_details/due_by',
    evidence_submission_count: 'evidence_details/submission_count',
  },
}

function valueAt(object: unknown, path: string): unknown {
  return path
    .split('/')
    .reduce((inner: unknown, part) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[part], object)
}

/** Members without a column: those of objects are in the column `other`, those of rows within objects nowhere. */
export const isWithoutColumn =
  /^(discount|shipping|address|url|tiers_mode|transform_quantity|parent|discountable|type)$/u

/** Members that another column has under another name. */
const uncompared =
  /^(object|fee_details|price|invoice|invoice_line_item|unit_amount|livemode|subscription|tax_rates|discounts)$/u
const isJson = /^(metadata|taxes|discount_amounts)$/u
const hasReference = /^(credit_note|invoiceitem)$/u

function rowOf(object: StripeObject): Row {
  const own = Object.entries(object).filter(([member, value]) => isColumn(object, member, value))
  const inner = Object.entries(within[object.object] ?? {}).map(
    ([column, path]) => [column, valueAt(object, path)] as const,
  )
  const row = Object.fromEntries(
    [...own, ...inner].map(([column, value]) => [column, moments.test(column) ? moment(value, column) : value]),
  )
  return 'currency' in object ? { ...row, currency_digits: digitsOf(object['currency']) } : row
}

function isColumn({ object }: StripeObject, member: string, value: unknown): boolean {
  if (member === 'invoice' && hasReference.test(object)) return true
  if (uncompared.test(member)) return false
  return typeof value !== 'object' || value === null || isJson.test(member)
}

function moment(value: unknown, member = ''): string | null {
  if (typeof value !== 'number') return null
  const text = new Date(value * 1_000).toISOString()
  return member === 'arrival_date' ? text.slice(0, 10) : text
}
