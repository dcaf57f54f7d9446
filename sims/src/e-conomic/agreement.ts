/** The books of the simulated e-conomic agreement: its records as the API gives them, without their addresses. */
import type { Random } from '../random.ts'
import { chart, type Chart, makeYears, type SimulatedYear } from './chart.ts'
import { type Money, money } from './money.ts'
import type { OpenRecord } from './records.ts'

export interface BookedEntry {
  readonly entryNumber: number
  readonly date: string
  readonly account: number
  readonly voucher: number
  readonly type: string
  readonly text: string
  readonly currency: string
  readonly amount: Money
  readonly base: Money
  /** What is not settled yet, of customers and suppliers. */
  remainder?: Money
  remainderBase?: Money
  readonly customer?: number
  readonly supplier?: number
  readonly invoice?: number
  readonly dueDate?: string
}

export interface BookedInvoice {
  readonly number: number
  readonly date: string
  readonly dueDate: string
  readonly customer: number
  readonly currency: string
  readonly rate: number
  readonly lines: readonly InvoiceLine[]
  /** Hundredths in its currency. */
  remainder: number
}

export interface InvoiceLine {
  readonly lineNumber: number
  readonly product: string
  readonly quantity: number
  readonly unitCents: number
}

export interface Agreement extends Chart {
  readonly number: number
  readonly years: readonly SimulatedYear[]
  readonly entries: BookedEntry[]
  readonly invoices: BookedInvoice[]
  readonly customers: OpenRecord[]
  readonly suppliers: OpenRecord[]
  readonly products: OpenRecord[]
  readonly drafts: OpenRecord[]
  readonly orders: { readonly drafts: OpenRecord[]; readonly sent: OpenRecord[]; readonly archived: OpenRecord[] }
  readonly random: Random
  today(): string
  /** The next number of its kind. */
  next(kind: 'entry' | 'voucher' | 'invoice' | 'draft' | 'order' | 'customer'): number
}

export const vatRate = 25

export function createAgreement(random: Random, clock: { now(): number }): Agreement {
  const counts = { entry: 0, voucher: 0, invoice: 20_000, draft: 0, order: 0, customer: 100 }
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10)
  const agreement: Agreement = {
    ...chart,
    number: 1_234_567,
    years: makeYears(Number(today().slice(0, 4))),
    entries: [],
    invoices: [],
    customers: [],
    suppliers: [],
    products: [],
    drafts: [],
    orders: { drafts: [], sent: [], archived: [] },
    random,
    today,
    next(kind) {
      counts[kind] += 1
      return counts[kind]
    },
  }
  return agreement
}

export interface VoucherPart {
  readonly account: number
  readonly base: number
  /** In the currency of the voucher. Without it: as `base`. */
  readonly amount?: number
  readonly customer?: number
  readonly supplier?: number
  readonly isOpen?: boolean
}

export interface Voucher {
  readonly date: string
  readonly type: string
  readonly text: string
  readonly currency?: string
  readonly invoice?: number
  readonly dueDate?: string
  readonly parts: readonly VoucherPart[]
}

/** @throws if the parts do not add up to zero */
export function book(agreement: Agreement, { parts, currency = 'DKK', invoice, dueDate, ...of }: Voucher): number {
  if (parts.reduce((sum, { base }) => sum + base, 0) !== 0) throw new Error('A voucher does not balance.')
  const voucher = agreement.next('voucher')
  for (const { account, base, amount = base, customer, supplier, isOpen = false } of parts)
    agreement.entries.push({
      ...of,
      entryNumber: agreement.next('entry'),
      voucher,
      account,
      currency,
      amount: money(amount),
      base: money(base),
      ...(isOpen && { remainder: money(amount), remainderBase: money(base) }),
      ...(customer !== undefined && { customer }),
      ...(supplier !== undefined && { supplier }),
      ...(invoice !== undefined && { invoice }),
      ...(dueDate !== undefined && isOpen && { dueDate }),
    })
  return voucher
}

export function netOf({ lines }: Pick<BookedInvoice, 'lines'>): number {
  return lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
}

export function vatOf(invoice: Pick<BookedInvoice, 'lines'>): number {
  return Math.round((netOf(invoice) * vatRate) / 100)
}

export function grossOf(invoice: Pick<BookedInvoice, 'lines'>): number {
  return netOf(invoice) + vatOf(invoice)
}
