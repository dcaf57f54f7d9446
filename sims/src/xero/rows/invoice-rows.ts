/** Invoices and credits in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { openCents, paidCents, allocatedCents } from '../books/invoices-and-payments.ts'
import { contactStub, currencyRow, dateRow, linesOf, totalsRow, updatedRow } from './line-rows.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { amount, dated, dayText, momentText, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { CreditAllocation, XeroCredit, XeroInvoice, XeroPayment } from '../books/records.ts'

export function invoiceList(company: XeroCompany): readonly XeroRecord[] {
  return company.invoices.map((invoice) => ({
    id: invoice.id,
    status: invoice.status,
    updatedAt: invoice.updatedAt,
    date: invoice.date,
    facts: {
      type: invoice.type,
      invoicenumber: invoice.number,
      reference: invoice.reference,
      duedate: invoice.dueDate,
      total: invoice.totalCents / 100,
      amountdue: dueCents(invoice) / 100,
      'contact.contactid': invoice.contact.id,
      'contact.name': invoice.contact.name,
    },
    row: (how) => invoiceRow(company, invoice, how),
  }))
}

function invoiceRow({ themes }: XeroCompany, invoice: XeroInvoice, how: SerialiseOptions): XeroRow {
  const head = {
    Type: invoice.type,
    InvoiceID: invoice.id,
    InvoiceNumber: invoice.number,
    Reference: invoice.reference,
  }
  return {
    ...head,
    ...(how.detail !== 'summary' && linksOf(invoice)),
    AmountDue: amount(dueCents(invoice)),
    AmountPaid: amount(paidCents(invoice)),
    AmountCredited: amount(allocatedCents(invoice)),
    ...currencyRow(invoice),
    SentToContact: invoice.isSent,
    IsDiscounted: invoice.lines.some(({ discountPercent }) => discountPercent > 0),
    HasAttachments: false,
    HasErrors: false,
    ...(invoice.type === 'ACCREC' && { BrandingThemeID: themes[0]?.id }),
    InvoicePaymentServices: [],
    Contact: {
      ...contactStub(invoice.contact),
      Addresses: [],
      Phones: [],
      ContactGroups: [],
      ContactPersons: [],
      HasValidationErrors: false,
    },
    ...dateRow(invoice),
    ...dated('DueDate', invoice.dueDate),
    ...(invoice.status === 'PAID' && { FullyPaidOnDate: stamp(lastDay(invoice)) }),
    Status: invoice.status,
    LineAmountTypes: invoice.lineAmountTypes,
    ...(how.detail !== 'summary' && { LineItems: linesOf(invoice, how) }),
    ...totalsRow(invoice),
    ...updatedRow(invoice.updatedAt),
    UpdatedDateUTCString: momentText(invoice.updatedAt),
  }
}

/** Payments and allocations of the invoice. */
function linksOf({ allocations, payments }: XeroInvoice): XeroRow {
  const of = (kind: XeroCredit['kind']): readonly CreditAllocation[] =>
    allocations.filter(({ credit }) => credit.kind === kind)
  return {
    Payments: payments.map(paymentLink),
    CreditNotes: of('creditNote').map(({ credit, cents, date }) => ({
      CreditNoteID: credit.id,
      CreditNoteNumber: credit.number,
      ID: credit.id,
      HasErrors: false,
      AppliedAmount: amount(cents),
      ...dated('Date', date),
      LineItems: [],
      Total: amount(credit.totalCents),
    })),
    Prepayments: of('prepayment').map((allocation) => ({
      PrepaymentID: allocation.credit.id,
      ...advanceLink(allocation),
    })),
    Overpayments: of('overpayment').map((allocation) => ({
      OverpaymentID: allocation.credit.id,
      ...advanceLink(allocation),
    })),
  }
}

/** A withdrawn invoice has no amount due. */
const dueCents = (invoice: XeroInvoice): number =>
  ['VOIDED', 'DELETED'].includes(invoice.status) ? 0 : openCents(invoice)

function lastDay({ payments, allocations, date }: XeroInvoice): number {
  return Math.max(date, ...payments.map((each) => each.date), ...allocations.map((each) => each.date))
}

function paymentLink({ id, date, cents, rate: value, reference, batch }: XeroPayment): XeroRow {
  return {
    PaymentID: id,
    ...(batch !== null && { BatchPaymentID: batch.id }),
    Date: stamp(date),
    Amount: amount(cents),
    Reference: reference,
    CurrencyRate: rate(value),
    HasAccount: false,
    HasValidationErrors: false,
  }
}

function advanceLink({ credit, cents, date }: CreditAllocation): XeroRow {
  return {
    ID: credit.id,
    HasErrors: false,
    AppliedAmount: amount(cents),
    Date: stamp(date),
    DateString: dayText(date),
    Total: amount(credit.totalCents),
  }
}

const idKeys = { creditNote: 'CreditNoteID', overpayment: 'OverpaymentID', prepayment: 'PrepaymentID' } as const

export const creditList =
  (kind: XeroCredit['kind']) =>
  (company: XeroCompany): readonly XeroRecord[] =>
    company.credits
      .filter((credit) => credit.kind === kind)
      .map((credit) => ({
        id: credit.id,
        status: credit.status,
        updatedAt: credit.updatedAt,
        date: credit.date,
        facts: {
          type: credit.type,
          creditnotenumber: credit.number,
          'contact.contactid': credit.contact.id,
          total: credit.totalCents / 100,
        },
        row: (how) => creditRow(company, credit, how),
      }))

function creditRow({ themes }: XeroCompany, credit: XeroCredit, how: SerialiseOptions): XeroRow {
  const isNote = credit.kind === 'creditNote'
  return {
    [idKeys[credit.kind]]: credit.id,
    ...(isNote
      ? { CreditNoteNumber: credit.number, SentToEmail: null, BrandingThemeID: themes[0]?.id }
      : { ID: credit.id }),
    Type: credit.type,
    Reference: credit.reference,
    Status: credit.status,
    Contact: contactStub(credit.contact),
    ...dateRow(credit),
    LineAmountTypes: credit.lineAmountTypes,
    LineItems: linesOf(credit, how),
    Allocations: credit.allocations.map(allocationRow),
    Payments: credit.payments.map(paymentLink),
    ...totalsRow(credit),
    RemainingCredit: amount(credit.status === 'VOIDED' ? 0 : openCents(credit)),
    AppliedAmount: amount(allocatedCents(credit)),
    ...currencyRow(credit),
    HasAttachments: false,
    ...updatedRow(credit.updatedAt),
  }
}

function allocationRow({ id, cents, date, invoice }: CreditAllocation): XeroRow {
  return {
    AllocationID: id,
    Amount: amount(cents),
    Date: stamp(date),
    IsDeleted: false,
    Invoice: { InvoiceID: invoice.id, InvoiceNumber: invoice.number, HasErrors: false, IsDiscounted: false },
  }
}
