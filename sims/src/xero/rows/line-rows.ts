/** Parts that several documents share, in the API's format. */
import type { SerialiseOptions } from '../api/records.ts'
import { amount, dated, tenThousandths, percent, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroContact, XeroDocument, DocumentLine, AssignedTracking } from '../books/records.ts'

export function lineRow(line: DocumentLine, { unitDecimals }: SerialiseOptions): XeroRow {
  return {
    LineItemID: line.id,
    Description: line.description,
    Quantity: tenThousandths(line.quantity),
    UnitAmount: tenThousandths(line.price, unitDecimals),
    ...(line.item !== null && {
      ItemCode: line.item.code,
      Item: { ItemID: line.item.id, Name: line.item.name, Code: line.item.code },
    }),
    AccountCode: line.account.code,
    AccountID: line.account.id,
    TaxType: line.tax.type,
    TaxAmount: amount(line.taxCents),
    LineAmount: amount(line.cents),
    ...(line.discountPercent > 0 && { DiscountRate: percent(line.discountPercent) }),
    Tracking: trackingRows(line.tracking),
    ValidationErrors: [],
  }
}

export function trackingRows(tracking: readonly AssignedTracking[]): readonly XeroRow[] {
  return tracking.map(({ category, option }) => ({
    TrackingCategoryID: category.id,
    TrackingOptionID: option.id,
    Name: category.name,
    Option: option.name,
  }))
}

/** Lists without a page omit the lines. */
export function linesOf({ lines }: XeroDocument, how: SerialiseOptions): readonly XeroRow[] {
  return how.detail === 'full' ? lines.map((line) => lineRow(line, how)) : []
}

export const contactStub = ({ id, name }: XeroContact): XeroRow => ({ ContactID: id, Name: name })

export function totalsRow({ subTotalCents, taxCents, totalCents }: XeroDocument): XeroRow {
  return { SubTotal: amount(subTotalCents), TotalTax: amount(taxCents), Total: amount(totalCents) }
}

export const currencyRow = ({ currency, rate: value }: XeroDocument): XeroRow => ({
  CurrencyCode: currency,
  CurrencyRate: rate(value),
})

export const updatedRow = (at: number): XeroRow => ({ UpdatedDateUTC: stamp(at) })

export const dateRow = ({ date }: { date: number }): XeroRow => dated('Date', date)
