/** Changes that keep a document's change date. */
import { accountOf } from './chart-of-accounts.ts'
import { dayMs } from './company.ts'
import type { XeroCompany } from './company.ts'
import { isLive, reverseEntry } from './invoices-and-payments.ts'
import { postInvoice } from './posting.ts'
import type { XeroInvoice } from './records.ts'

export interface SilentChange {
  readonly kind: 'account' | 'dueDate' | 'sent'
  readonly invoiceId: string
  /** The date of the invoice, in milliseconds since 1970. */
  readonly date: number
}

const other: Readonly<Record<string, string>> = { '200': '260', '205': '200', '260': '200', '310': '429' }

/** The ledger follows a changed account, so a report differs from rows that were read earlier. */
export function changeSilently(company: XeroCompany, now: number, wanted?: SilentChange['kind']): SilentChange {
  const { random, invoices } = company
  const kind = wanted ?? random.pick(['account', 'dueDate', 'sent'] as const)
  const invoice = random.pick(invoices.filter((each) => isLive(each) && each.lines.length > 0))
  if (kind === 'account') recode(company, invoice, now)
  else if (kind === 'dueDate') invoice.dueDate = (invoice.dueDate ?? invoice.date) + dayMs
  else invoice.isSent = !invoice.isSent
  return { kind, invoiceId: invoice.id, date: invoice.date }
}

function recode(company: XeroCompany, invoice: XeroInvoice, now: number): void {
  const [line] = invoice.lines
  if (line === undefined) return
  reverseEntry(company, invoice, now)
  line.account = accountOf(company, other[line.account.code] ?? '453')
  postInvoice(company, invoice, now)
}
