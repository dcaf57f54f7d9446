/** Changes that leave the time of the last change as it was. */
import { accountOf } from './chart-of-accounts.ts'
import { dayMs } from './company.ts'
import type { Company } from './company.ts'
import { isLive, takeBack } from './invoices-and-payments.ts'
import { postInvoice } from './posting.ts'
import type { Invoice } from './records.ts'

export interface Quiet {
  readonly kind: 'account' | 'dueDate' | 'sent'
  readonly invoiceId: string
  /** The day of the invoice, in milliseconds since 1970. */
  readonly date: number
}

const other: Readonly<Record<string, string>> = { '200': '260', '205': '200', '260': '200', '310': '429' }

/** The ledger follows an account that changes, so that a report tells another figure than rows that were read before. */
export function quietly(company: Company, now: number, wanted?: Quiet['kind']): Quiet {
  const { random, invoices } = company
  const kind = wanted ?? random.pick(['account', 'dueDate', 'sent'] as const)
  const invoice = random.pick(invoices.filter((each) => isLive(each) && each.lines.length > 0))
  if (kind === 'account') recode(company, invoice, now)
  else if (kind === 'dueDate') invoice.dueDate = (invoice.dueDate ?? invoice.date) + dayMs
  else invoice.isSent = !invoice.isSent
  return { kind, invoiceId: invoice.id, date: invoice.date }
}

function recode(company: Company, invoice: Invoice, now: number): void {
  const [line] = invoice.lines
  if (line === undefined) return
  takeBack(company, invoice, now)
  line.account = accountOf(company, other[line.account.code] ?? '453')
  postInvoice(company, invoice, now)
}
