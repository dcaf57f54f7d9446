/** The size of a simulated Xero company with a few records of every kind. */
import type { XeroCompanySize } from '@tributary/sims/xero/books/company'

export const tinySize: XeroCompanySize = {
  months: 3,
  contacts: 14,
  items: 8,
  invoices: 24,
  invoicesMax: 40,
  linesPerInvoice: 2,
  paymentsPerInvoice: 1,
}
