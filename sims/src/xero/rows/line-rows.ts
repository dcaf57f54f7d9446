/** Parts that several documents share, as the API writes them. */
import type { How } from '../api/listed.ts'
import { amount, dated, fine, percent, rate, stamp } from '../api/value-format.ts'
import type { Row } from '../api/value-format.ts'
import type { Contact, Document, Line, Tracked } from '../books/records.ts'

export function lineRow(line: Line, { unitDecimals }: How): Row {
  return {
    LineItemID: line.id,
    Description: line.description,
    Quantity: fine(line.quantity),
    UnitAmount: fine(line.price, unitDecimals),
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

export function trackingRows(tracking: readonly Tracked[]): readonly Row[] {
  return tracking.map(({ category, option }) => ({
    TrackingCategoryID: category.id,
    TrackingOptionID: option.id,
    Name: category.name,
    Option: option.name,
  }))
}

/** Lines are left out of lists without a page. */
export function linesOf({ lines }: Document, how: How): readonly Row[] {
  return how.detail === 'full' ? lines.map((line) => lineRow(line, how)) : []
}

export const contactStub = ({ id, name }: Contact): Row => ({ ContactID: id, Name: name })

export function totalsRow({ subTotalCents, taxCents, totalCents }: Document): Row {
  return { SubTotal: amount(subTotalCents), TotalTax: amount(taxCents), Total: amount(totalCents) }
}

export const currencyRow = ({ currency, rate: value }: Document): Row => ({
  CurrencyCode: currency,
  CurrencyRate: rate(value),
})

export const updatedRow = (at: number): Row => ({ UpdatedDateUTC: stamp(at) })

export const dateRow = ({ date }: { date: number }): Row => dated('Date', date)
