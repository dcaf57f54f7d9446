/** Documents of money in the simulated Stripe account. */
import { currencies, type ObjectFactory, type StripeObject } from './objects.ts'

const common = { livemode: false } as const

export function newInvoice(
  { random, now, id }: ObjectFactory,
  customer: string,
  subscription: string | null,
): StripeObject {
  const at = now()
  const total = random.between(100, 90_000)
  return {
    id: id('in'),
    object: 'invoice',
    ...common,
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    attempt_count: 0,
    billing_reason: subscription === null ? 'manual' : 'subscription_cycle',
    collection_method: 'charge_automatically',
    created: at,
    currency: random.pick(currencies),
    customer,
    customer_email: null,
    customer_name: 'Ada Lovelace',
    description: null,
    due_date: null,
    effective_at: null,
    ending_balance: null,
    metadata: {},
    number: null,
    parent:
      subscription === null
        ? null
        : { type: 'subscription_details', quote_details: null, subscription_details: { metadata: {}, subscription } },
    period_start: at,
    period_end: at,
    pre_payment_credit_notes_amount: 0,
    post_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  }
}

export function newCreditNote({ random, now, id }: ObjectFactory, invoice: StripeObject): StripeObject {
  const amount = random.between(1, 100)
  return {
    id: id('cn'),
    object: 'credit_note',
    ...common,
    amount,
    created: now(),
    currency: invoice['currency'],
    customer: invoice['customer'],
    discount_amount: 0,
    effective_at: now(),
    invoice: invoice.id,
    memo: null,
    metadata: {},
    number: `CN-${random.between(1, 9_999)}`,
    out_of_band_amount: null,
    reason: 'order_change',
    status: 'issued',
    subtotal: amount,
    total: amount,
    total_excluding_tax: amount,
    type: 'post_payment',
    voided_at: null,
  }
}

export function newCreditNoteLine({ random, id }: ObjectFactory): StripeObject {
  return {
    id: id('cnli'),
    object: 'credit_note_line_item',
    ...common,
    amount: random.between(1, 100),
    description: 'Correction',
    discount_amount: 0,
    quantity: null,
    taxes: null,
    type: 'custom_line_item',
    unit_amount: null,
    unit_amount_decimal: '12.5',
  }
}

export function newCharge({ random, now, id }: ObjectFactory, customer: string | null): StripeObject {
  const amount = random.between(50, 100_000)
  const isFailed = random.next() < 0.15
  return {
    id: id('ch'),
    object: 'charge',
    ...common,
    amount,
    amount_captured: isFailed ? 0 : amount,
    amount_refunded: 0,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { name: 'Jenny Rosen', email: null, phone: null },
    captured: !isFailed,
    created: now(),
    currency: random.pick(currencies),
    customer,
    description: null,
    disputed: false,
    failure_code: isFailed ? 'card_declined' : null,
    failure_message: isFailed ? 'Your card was declined.' : null,
    metadata: {},
    outcome: { type: isFailed ? 'issuer_declined' : 'authorized', seller_message: null },
    paid: !isFailed,
    payment_intent: id('pi'),
    payment_method: id('pm'),
    payment_method_details: { type: 'card', card: { brand: 'visa', country: 'US', last4: '4242' } },
    receipt_email: null,
    refunded: false,
    statement_descriptor: null,
    status: isFailed ? 'failed' : 'succeeded',
  }
}

export function newRefund({ now, id }: ObjectFactory, charge: StripeObject, amount: number): StripeObject {
  return {
    id: id('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now(),
    currency: charge['currency'],
    metadata: {},
    payment_intent: charge['payment_intent'],
    reason: 'requested_by_customer',
    receipt_number: null,
    status: 'pending',
  }
}

export function newDispute({ now, id }: ObjectFactory, charge: StripeObject): StripeObject {
  return {
    id: id('dp'),
    object: 'dispute',
    ...common,
    amount: charge['amount'],
    balance_transactions: [],
    charge: charge.id,
    created: now(),
    currency: charge['currency'],
    evidence_details: { due_by: now() + 900_000, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: true,
    metadata: {},
    payment_intent: charge['payment_intent'],
    reason: 'fraudulent',
    status: 'needs_response',
  }
}

export function newPayout({ random, now, id }: ObjectFactory): StripeObject {
  return {
    id: id('po'),
    object: 'payout',
    ...common,
    amount: random.between(100, 900_000),
    arrival_date: Math.floor((now() + 172_800) / 86_400) * 86_400,
    automatic: true,
    balance_transaction: null,
    created: now(),
    currency: random.pick(currencies),
    description: 'STRIPE PAYOUT',
    destination: id('ba'),
    failure_code: null,
    failure_message: null,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'in_progress',
    statement_descriptor: null,
    status: 'pending',
    type: 'bank_account',
  }
}

export function newBalanceTransaction(
  { random, now, id }: ObjectFactory,
  source: StripeObject,
  sign: 1 | -1,
): StripeObject {
  const amount = Number(source['amount']) * sign
  const fee = sign === 1 ? random.between(0, 300) : 0
  const currency = source['currency']
  return {
    id: id('txn'),
    object: 'balance_transaction',
    amount,
    available_on: Math.floor((now() + random.between(0, 7) * 86_400) / 86_400) * 86_400,
    created: now(),
    currency,
    description: null,
    exchange_rate: random.next() < 0.2 ? 0.9184531 : null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: source.object,
    source: source.id,
    status: 'pending',
    type: source.object,
  }
}
