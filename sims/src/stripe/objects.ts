/** Objects of the simulated Stripe account, with the members that its API reference describes. Amounts are in the smallest unit. */
import type { Random } from '../random.ts'

/** As Stripe writes it in JSON. Moments are whole seconds since 1970. */
export interface StripeObject {
  readonly id: string
  readonly object: string
  readonly created?: number
  [member: string]: unknown
}

export const currencies = ['usd', 'eur', 'jpy', 'kwd'] as const

export interface ObjectFactory {
  readonly random: Random
  /** Whole seconds. */
  now(): number
  id(prefix: string): string
}

export function createFactory(random: Random, now: () => number): ObjectFactory {
  let count = 0
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
  return {
    random,
    now,
    id(prefix) {
      count += 1
      const tail = Array.from({ length: 14 }, () => letters[random.between(0, letters.length - 1)]).join('')
      return `${prefix}_${count.toString(36)}${tail}`
    },
  }
}

const common = { livemode: false } as const

export function newCustomer({ random, now, id }: ObjectFactory): StripeObject {
  return {
    id: id('cus'),
    object: 'customer',
    ...common,
    created: now(),
    name: random.pick(['Ada Lovelace', 'Æble & Søn', 'O’Brien', '', 'tab\tand\nline', '漢字 🦜']),
    email: `person${random.between(1, 999)}@example.com`,
    phone: null,
    description: null,
    address:
      random.next() < 0.3
        ? null
        : { line1: '1 Quay', line2: null, city: 'Leith', state: null, postal_code: 'EH6', country: 'GB' },
    balance: random.between(-5_000, 5_000),
    currency: random.next() < 0.3 ? null : random.pick(currencies),
    delinquent: false,
    discount: null,
    invoice_prefix: `P${random.between(1, 99_999)}`,
    metadata: {},
    shipping: null,
    tax_exempt: 'none',
  }
}

export function newProduct({ random, now, id }: ObjectFactory): StripeObject {
  const at = now()
  return {
    id: id('prod'),
    object: 'product',
    ...common,
    active: true,
    created: at,
    updated: at,
    name: `Product ${random.between(1, 999)}`,
    description: null,
    default_price: null,
    images: [],
    marketing_features: [],
    metadata: {},
    tax_code: null,
    type: 'service',
    unit_label: null,
    url: null,
  }
}

export function newPrice({ random, now, id }: ObjectFactory, product: string): StripeObject {
  const amount = random.between(1, 90_000)
  const isFraction = random.next() < 0.2
  return {
    id: id('price'),
    object: 'price',
    ...common,
    active: true,
    billing_scheme: 'per_unit',
    created: now(),
    currency: random.pick(currencies),
    lookup_key: null,
    metadata: {},
    nickname: random.next() < 0.5 ? null : 'Standard',
    product,
    recurring: { interval: 'month', interval_count: 1, meter: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: isFraction ? null : amount,
    unit_amount_decimal: isFraction ? `${amount}.000000000001` : String(amount),
  }
}

export function newCoupon({ random, now, id }: ObjectFactory): StripeObject {
  const isShare = random.next() < 0.5
  return {
    id: id('co'),
    object: 'coupon',
    ...common,
    amount_off: isShare ? null : random.between(100, 2_000),
    created: now(),
    currency: isShare ? null : random.pick(currencies),
    duration: 'repeating',
    duration_in_months: 3,
    max_redemptions: null,
    metadata: {},
    name: 'A little off',
    percent_off: isShare ? 25.5 : null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  }
}

export function newSubscriptionItem(
  { random, now, id }: ObjectFactory,
  subscription: string,
  price: StripeObject,
): StripeObject {
  return {
    id: id('si'),
    object: 'subscription_item',
    created: now(),
    current_period_start: now(),
    current_period_end: now() + 30 * 86_400,
    discounts: [],
    metadata: {},
    price,
    quantity: random.between(1, 20),
    subscription,
    tax_rates: [],
  }
}

export function newSubscription(factory: ObjectFactory, customer: string, currency: unknown): StripeObject {
  const at = factory.now()
  return {
    id: factory.id('sub'),
    object: 'subscription',
    ...common,
    billing_cycle_anchor: at,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: at,
    currency,
    customer,
    description: null,
    ended_at: null,
    latest_invoice: null,
    metadata: {},
    start_date: at,
    status: 'active',
    trial_start: null,
    trial_end: null,
  }
}

export function newInvoiceItem({ random, now, id }: ObjectFactory, customer: string): StripeObject {
  const at = now()
  return {
    id: id('ii'),
    object: 'invoiceitem',
    ...common,
    amount: random.between(-500, 9_000),
    currency: random.pick(currencies),
    customer,
    date: at,
    description: 'Setup',
    discountable: true,
    invoice: null,
    metadata: {},
    parent: null,
    period: { start: at, end: at },
    pricing: {
      type: 'price_details',
      price_details: { price: 'price_none', product: 'prod_none' },
      unit_amount_decimal: '100',
    },
    proration: false,
    quantity: 1,
  }
}

export function newInvoiceLine({ random, now, id }: ObjectFactory, invoice: string, price: StripeObject): StripeObject {
  const at = now()
  const quantity = random.between(1, 5)
  return {
    id: id('il'),
    object: 'line_item',
    ...common,
    amount: random.between(1, 50_000),
    currency: price['currency'],
    description: `${quantity} × line`,
    discount_amounts: [],
    discountable: true,
    invoice,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: { subscription: null, subscription_item: 'si_of_this_line', proration: false },
    },
    period: { start: at, end: at + 2_592_000 },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: price['product'] },
      unit_amount_decimal: price['unit_amount_decimal'],
    },
    quantity,
    quantity_decimal: `${quantity}`,
    subtotal: random.between(1, 50_000),
    taxes: [{ amount: random.between(0, 900), tax_behavior: 'exclusive', type: 'tax_rate_details' }],
  }
}
