/** The simulated Stripe account: its objects, what happens to them, and the events that report it. */
import type { Random } from '../random.ts'
import { newBalanceTransaction } from './documents.ts'
import { createFactory, type ObjectFactory, type StripeObject } from './objects.ts'

export const collections = [
  'customers',
  'products',
  'prices',
  'coupons',
  'subscriptions',
  'invoices',
  'invoiceitems',
  'credit_notes',
  'charges',
  'refunds',
  'disputes',
  'payouts',
  'balance_transactions',
] as const
export type Collection = (typeof collections)[number]

export interface StripeAccount {
  readonly factory: ObjectFactory
  readonly events: readonly StripeObject[]
  all(collection: Collection): readonly StripeObject[]
  /** One that is still there; undefined if none is. */
  some(collection: Collection): StripeObject | undefined
  find(collection: Collection, id: string): StripeObject | undefined
  isDeleted(id: string): boolean
  /** The rows of the list within an object: lines of an invoice or credit note, items of a subscription. */
  rowsOf(id: string): StripeObject[]
  /** Adds an object and emits the event of the type, if there is one. */
  add(collection: Collection, object: StripeObject, event: string | null): StripeObject
  change(object: StripeObject, change: Readonly<Record<string, unknown>>, event: string | null): void
  remove(collection: Collection, object: StripeObject, event: string | null): void
  /** Moves money: adds a balance transaction, which no event reports. */
  move(source: StripeObject, sign: 1 | -1): StripeObject
}

export function createAccount(random: Random, clock: { now(): number }): StripeAccount {
  const now = (): number => Math.floor(clock.now() / 1_000)
  const factory = createFactory(random, now)
  const lists = new Map<Collection, StripeObject[]>(collections.map((collection) => [collection, []]))
  const rows = new Map<string, StripeObject[]>()
  const deleted = new Set<string>()
  const events: StripeObject[] = []
  const all = (collection: Collection): StripeObject[] => lists.get(collection) ?? []
  const emit = (type: string | null, object: StripeObject): void => {
    if (type === null) return
    events.push({
      id: factory.id('evt'),
      object: 'event',
      api_version: '2019-12-03',
      created: now(),
      data: { object: outdated(object) },
      livemode: false,
      type,
    })
  }
  const add: StripeAccount['add'] = (collection, object, event) => {
    all(collection).push(object)
    emit(event, object)
    return object
  }
  return {
    factory,
    events,
    all,
    some: (collection) => (all(collection).length === 0 ? undefined : random.pick(all(collection))),
    find: (collection, id) => all(collection).find((object) => object.id === id),
    isDeleted: (id) => deleted.has(id),
    rowsOf(id) {
      const found = rows.get(id) ?? []
      rows.set(id, found)
      return found
    },
    add,
    change(object, change, event) {
      Object.assign(object, change)
      emit(event, object)
    },
    remove(collection, object, event) {
      const list = all(collection)
      list.splice(list.indexOf(object), 1)
      deleted.add(object.id)
      emit(event, object)
    },
    move: (source, sign) => add('balance_transactions', newBalanceTransaction(factory, source, sign), null),
  }
}

/** Events show an object as the API version of the account did at the time of the event: an old form, with old values. */
function outdated(object: StripeObject): Readonly<Record<string, unknown>> {
  const { id, customer, charge, invoice, parent } = object
  const details = (parent as { readonly subscription_details?: { readonly subscription?: unknown } } | null | undefined)
    ?.subscription_details
  return { id, object: object.object, amount: 0, customer, charge, invoice, subscription: details?.subscription }
}
