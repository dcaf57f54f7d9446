/** What customers and the merchant do in the simulated account. */
import type { StripeAccount } from './account.ts'
import {
  newCharge,
  newCreditNote,
  newCreditNoteLine,
  newDispute,
  newInvoice,
  newPayout,
  newRefund,
} from './documents.ts'
import {
  newCoupon,
  newCustomer,
  newInvoiceItem,
  newInvoiceLine,
  newPrice,
  newProduct,
  newSubscription,
  newSubscriptionItem,
  type StripeObject,
} from './objects.ts'

type Action = (account: StripeAccount) => void

/** The more often an action is listed, the more often it happens. */
const actions: readonly Action[] = [
  addCustomer,
  addCustomer,
  changeCustomer,
  removeCustomer,
  addProduct,
  changeProduct,
  removeProduct,
  addPrice,
  changePrice,
  useCoupon,
  subscribe,
  changeSubscription,
  endSubscription,
  draftInvoice,
  draftInvoice,
  payInvoice,
  payInvoice,
  removeDraft,
  changeInvoiceItem,
  credit,
  charge,
  charge,
  charge,
  refund,
  settleRefund,
  dispute,
  closeDispute,
  payOut,
  settlePayout,
]

export function trade(account: StripeAccount, times: number): void {
  for (let index = 0; index < times; index += 1) account.factory.random.pick(actions)(account)
  settleBalance(account)
}

/** The first objects, of every kind. */
export function openAccount(account: StripeAccount, size: number): void {
  for (let index = 0; index < Math.ceil(size / 4); index += 1) {
    addCustomer(account)
    addProduct(account)
    addPrice(account)
  }
  account.add('coupons', newCoupon(account.factory), 'coupon.created')
  const items = Array.from({ length: 3 }, () => newInvoiceItem(account.factory, customerOf(account)))
  for (const item of items) account.add('invoiceitems', item, 'invoiceitem.created')
  subscribe(account)
  for (let index = 0; index < 3; index += 1) draftInvoice(account)
  trade(account, size)
}

function settleBalance(account: StripeAccount): void {
  for (const movement of account.all('balance_transactions'))
    if (Number(movement['available_on']) <= account.factory.now()) movement['status'] = 'available'
}

function addCustomer(account: StripeAccount): void {
  account.add('customers', newCustomer(account.factory), 'customer.created')
}

function customerOf(account: StripeAccount): string {
  return account.some('customers')?.id ?? account.add('customers', newCustomer(account.factory), 'customer.created').id
}

function changeCustomer(account: StripeAccount): void {
  const customer = account.some('customers')
  if (customer === undefined) return
  const { random } = account.factory
  if (random.next() < 0.7) account.change(customer, { balance: random.between(-900, 900) }, 'customer.updated')
  // Only the event of the discount says that the customer has one.
  else {
    account.change(customer, { discount: { id: 'di_1', object: 'discount' } }, null)
    account.change({ id: 'di_1', object: 'discount', customer: customer.id }, {}, 'customer.discount.created')
  }
}

function removeCustomer(account: StripeAccount): void {
  const customer = account.some('customers')
  if (customer !== undefined) account.remove('customers', customer, 'customer.deleted')
}

function addProduct(account: StripeAccount): void {
  account.add('products', newProduct(account.factory), 'product.created')
}

function changeProduct(account: StripeAccount): void {
  const product = account.some('products')
  const updated = account.factory.now()
  if (product !== undefined) account.change(product, { active: product['active'] !== true, updated }, 'product.updated')
}

/** Only a product without prices can be deleted. */
function removeProduct(account: StripeAccount): void {
  const sold = new Set(account.all('prices').map(({ product }) => product))
  const product = account.all('products').find(({ id }) => !sold.has(id))
  if (product !== undefined) account.remove('products', product, 'product.deleted')
}

function addPrice(account: StripeAccount): void {
  const product = account.some('products') ?? account.add('products', newProduct(account.factory), 'product.created')
  account.add('prices', newPrice(account.factory, product.id), 'price.created')
}

function priceOf(account: StripeAccount): StripeObject {
  if (account.all('prices').length === 0) addPrice(account)
  return account.some('prices') as StripeObject
}

function changePrice(account: StripeAccount): void {
  account.change(priceOf(account), { nickname: `Renamed ${account.factory.random.between(1, 99)}` }, 'price.updated')
}

/** Stripe counts uses without an event. */
function useCoupon(account: StripeAccount): void {
  const coupon = account.some('coupons')
  if (coupon !== undefined) account.change(coupon, { times_redeemed: Number(coupon['times_redeemed']) + 1 }, null)
}

function subscribe(account: StripeAccount): void {
  const { factory } = account
  const price = priceOf(account)
  const subscription = newSubscription(factory, customerOf(account), price['currency'])
  const count = factory.random.next() < 0.2 ? 23 : factory.random.between(1, 3)
  for (let index = 0; index < count; index += 1)
    account.rowsOf(subscription.id).push(newSubscriptionItem(factory, subscription.id, price))
  account.add('subscriptions', subscription, 'customer.subscription.created')
}

function changeSubscription(account: StripeAccount): void {
  const subscription = account.some('subscriptions')
  if (subscription === undefined) return
  const items = account.rowsOf(subscription.id)
  if (items.length > 1) items.pop()
  const [first] = items
  if (first !== undefined) first['quantity'] = account.factory.random.between(1, 99)
  account.change(subscription, { description: 'Changed' }, 'customer.subscription.updated')
}

function endSubscription(account: StripeAccount): void {
  const active = account.all('subscriptions').find(({ status }) => status === 'active')
  const at = account.factory.now()
  const end = { status: 'canceled', canceled_at: at, ended_at: at }
  if (active !== undefined) account.change(active, end, 'customer.subscription.deleted')
}

function draftInvoice(account: StripeAccount): void {
  const { factory } = account
  const subscription = factory.random.next() < 0.5 ? account.some('subscriptions') : undefined
  const invoice = newInvoice(factory, customerOf(account), subscription?.id ?? null)
  const count = factory.random.next() < 0.2 ? 137 : factory.random.between(0, 12)
  for (let index = 0; index < count; index += 1)
    account.rowsOf(invoice.id).push(newInvoiceLine(factory, invoice.id, priceOf(account)))
  account.add('invoices', invoice, 'invoice.created')
  // The subscription changes, and only the event of the invoice says so.
  if (subscription !== undefined) account.change(subscription, { latest_invoice: invoice.id }, null)
}

function payInvoice(account: StripeAccount): void {
  const open = account.all('invoices').find(({ status }) => status === 'open')
  const at = account.factory.now()
  if (open !== undefined) {
    const transitions = { ...(open['status_transitions'] as object), paid_at: at }
    const paid = {
      status: 'paid',
      amount_paid: open['amount_due'],
      amount_remaining: 0,
      status_transitions: transitions,
    }
    return account.change(open, paid, 'invoice.paid')
  }
  const draft = account.all('invoices').find(({ status }) => status === 'draft')
  if (draft === undefined) return
  const transitions = { ...(draft['status_transitions'] as object), finalized_at: at }
  const final = { status: 'open', number: `N-${draft.id.slice(-6)}`, effective_at: at, status_transitions: transitions }
  account.rowsOf(draft.id).pop()
  account.change(draft, final, 'invoice.finalized')
}

function removeDraft(account: StripeAccount): void {
  const drafts = account.all('invoices').filter(({ status }) => status === 'draft')
  const draft = drafts.at(-1)
  if (draft !== undefined) account.remove('invoices', draft, 'invoice.deleted')
}

/** Stripe reports new and deleted invoice items, but no changes. */
function changeInvoiceItem(account: StripeAccount): void {
  const { factory } = account
  const item = account.some('invoiceitems')
  const dice = factory.random.next()
  if (item === undefined || dice < 0.4)
    account.add('invoiceitems', newInvoiceItem(factory, customerOf(account)), 'invoiceitem.created')
  else if (dice < 0.7) account.change(item, { amount: factory.random.between(1, 99) }, null)
  else account.remove('invoiceitems', item, 'invoiceitem.deleted')
}

function credit(account: StripeAccount): void {
  const invoice = account.all('invoices').find(({ status }) => status === 'paid')
  if (invoice === undefined) return
  const note = newCreditNote(account.factory, invoice)
  const count = account.factory.random.next() < 0.3 ? 14 : 2
  for (let index = 0; index < count; index += 1) account.rowsOf(note.id).push(newCreditNoteLine(account.factory))
  account.add('credit_notes', note, 'credit_note.created')
  // The invoice changes, and only the event of the credit note says so.
  const before = Number(invoice['post_payment_credit_notes_amount'])
  account.change(invoice, { post_payment_credit_notes_amount: before + Number(note['amount']) }, null)
}

function charge(account: StripeAccount): void {
  const made = newCharge(account.factory, account.some('customers')?.id ?? null)
  if (made['status'] === 'succeeded') made['balance_transaction'] = account.move(made, 1).id
  account.add('charges', made, made['status'] === 'succeeded' ? 'charge.succeeded' : 'charge.failed')
}

function refund(account: StripeAccount): void {
  const paid = account.all('charges').filter(({ paid: isPaid, amount_refunded: back }) => isPaid === true && back === 0)
  const charged = paid.length === 0 ? undefined : account.factory.random.pick(paid)
  if (charged === undefined) return
  const back = account.factory.random.between(1, Number(charged['amount']))
  const made = newRefund(account.factory, charged, back)
  made['balance_transaction'] = account.move(made, -1).id
  account.add('refunds', made, 'refund.created')
  account.change(charged, { amount_refunded: back, refunded: back === charged['amount'] }, 'charge.refunded')
}

function settleRefund(account: StripeAccount): void {
  const pending = account.all('refunds').find(({ status }) => status === 'pending')
  if (pending !== undefined) account.change(pending, { status: 'succeeded' }, 'refund.updated')
}

function dispute(account: StripeAccount): void {
  const charged = account.all('charges').find(({ paid, disputed }) => paid === true && disputed !== true)
  if (charged === undefined) return
  account.add('disputes', newDispute(account.factory, charged), 'charge.dispute.created')
  // The charge changes, and only the event of the dispute says so.
  account.change(charged, { disputed: true }, null)
}

function closeDispute(account: StripeAccount): void {
  const open = account.all('disputes').find(({ status }) => status === 'needs_response')
  if (open !== undefined) account.change(open, { status: 'lost', is_charge_refundable: false }, 'charge.dispute.closed')
}

function payOut(account: StripeAccount): void {
  const made = newPayout(account.factory)
  made['balance_transaction'] = account.move(made, -1).id
  account.add('payouts', made, 'payout.created')
}

function settlePayout(account: StripeAccount): void {
  const pending = account.all('payouts').find(({ status }) => status === 'pending')
  if (pending !== undefined) account.change(pending, { status: 'paid' }, 'payout.paid')
}
