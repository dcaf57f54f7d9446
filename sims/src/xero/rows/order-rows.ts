/** Orders, quotes, repeating invoices and linked transactions in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { contactStub, currencyRow, dateRow, linesOf, totalsRow, updatedRow } from './line-rows.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { lineCents } from '../books/money.ts'
import { amount, bareStamp, dated, dayText, momentText, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroDocument, LinkedTransaction, RepeatingInvoice } from '../books/records.ts'

export function orderList({ orders, themes }: XeroCompany): readonly XeroRecord[] {
  return orders.map((order) => ({
    ...recordOf(order),
    facts: { purchaseordernumber: order.number },
    row: (how) => ({
      PurchaseOrderID: order.id,
      PurchaseOrderNumber: order.number,
      ...dateRow(order),
      ...dated('DeliveryDate', order.dueDate),
      DeliveryAddress: '1 Quay St\nWellington',
      AttentionTo: 'Goods in',
      Telephone: '5550100',
      DeliveryInstructions: '',
      HasErrors: false,
      IsDiscounted: false,
      Reference: order.reference,
      Type: order.type,
      ...currencyRow(order),
      Contact: contactStub(order.contact),
      BrandingThemeID: themes[0]?.id,
      Status: order.status,
      LineAmountTypes: order.lineAmountTypes,
      LineItems: linesOf(order, how),
      ...totalsRow(order),
      ...updatedRow(order.updatedAt),
      HasAttachments: false,
      SentToContact: order.status === 'BILLED',
    }),
  }))
}

const recordOf = ({ id, status, updatedAt, date }: XeroDocument) => ({ id, status, updatedAt, date })

export function quoteList({ quotes, themes }: XeroCompany): readonly XeroRecord[] {
  return quotes.map((quote) => ({
    ...recordOf(quote),
    facts: { quotenumber: quote.number, 'contact.contactid': quote.contact.id },
    row: (how) => quoteRow(quote, { how, themeId: themes[0]?.id }),
  }))
}

/** Quotes write days without a zone, and the kind of amounts in capitals. */
function quoteRow(
  quote: XeroDocument,
  { how, themeId }: { how: SerialiseOptions; themeId: string | undefined },
): XeroRow {
  const expiry = quote.dueDate
  return {
    QuoteID: quote.id,
    QuoteNumber: quote.number,
    Reference: quote.reference,
    Terms: 'Valid for\ntwo weeks',
    Contact: {
      ...contactStub(quote.contact),
      EmailAddress: quote.contact.email,
      FirstName: quote.contact.firstName,
      LastName: quote.contact.lastName,
    },
    LineItems: linesOf(quote, how),
    Date: bareStamp(quote.date),
    DateString: dayText(quote.date),
    ...(expiry !== null && { ExpiryDate: bareStamp(expiry), ExpiryDateString: dayText(expiry) }),
    Status: quote.status,
    CurrencyRate: rate(quote.rate),
    CurrencyCode: quote.currency,
    SubTotal: amount(quote.subTotalCents),
    TotalTax: amount(quote.taxCents),
    Total: amount(quote.totalCents),
    TotalDiscount: amount(discountOf(quote)),
    Title: 'Offer',
    Summary: '',
    BrandingThemeID: themeId,
    UpdatedDateUTC: bareStamp(quote.updatedAt),
    LineAmountTypes: quote.lineAmountTypes.toUpperCase(),
  }
}

const discountOf = ({ lines }: XeroDocument): number =>
  lines.reduce((sum, line) => sum + lineCents(line.quantity, line.price, 0) - line.cents, 0)

export function repeatingList({ repeating, themes }: XeroCompany): readonly XeroRecord[] {
  return repeating.map((each) => ({
    ...recordOf(each.document),
    updatedAt: null,
    facts: { type: each.document.type },
    row: (how) => repeatingRow(each, { how, themeId: themes[0]?.id }),
  }))
}

function repeatingRow(
  { document, period, unit, nextDate }: RepeatingInvoice,
  { how, themeId }: { how: SerialiseOptions; themeId: string | undefined },
): XeroRow {
  return {
    Schedule: {
      Period: period,
      Unit: unit,
      DueDate: 20,
      DueDateType: 'OFFOLLOWINGMONTH',
      StartDate: stamp(document.date),
      NextScheduledDate: stamp(nextDate),
      NextScheduledDateString: dayText(nextDate),
    },
    RepeatingInvoiceID: document.id,
    ID: document.id,
    Type: document.type,
    Reference: document.reference,
    HasAttachments: false,
    ApprovedForSending: false,
    SendCopy: false,
    MarkAsSent: false,
    IncludePDF: false,
    Contact: contactStub(document.contact),
    BrandingThemeID: themeId,
    Status: document.status,
    LineAmountTypes: document.lineAmountTypes,
    LineItems: linesOf(document, how),
    ...totalsRow(document),
    CurrencyCode: document.currency,
  }
}

export function linkedList({ linked }: XeroCompany): readonly XeroRecord[] {
  return linked.map((each) => ({
    id: each.id,
    status: each.invoice === null ? 'APPROVED' : 'BILLED',
    updatedAt: each.updatedAt,
    date: null,
    facts: { sourcetransactionid: each.bill.id, 'contact.contactid': each.customer.id },
    row: () => linkedRow(each),
  }))
}

function linkedRow({ id, bill, line, customer, invoice, updatedAt }: LinkedTransaction): XeroRow {
  return {
    LinkedTransactionID: id,
    SourceTransactionID: bill.id,
    SourceLineItemID: line.id,
    ContactID: customer.id,
    ...(invoice !== null && { TargetTransactionID: invoice.id, TargetLineItemID: invoice.lines[0]?.id }),
    Status: invoice === null ? 'APPROVED' : 'BILLED',
    Type: 'BILLABLEEXPENSE',
    UpdatedDateUTC: stamp(updatedAt),
    UpdatedDateUTCString: momentText(updatedAt),
    SourceTransactionTypeCode: bill.type,
  }
}
