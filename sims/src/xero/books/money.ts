/**
 * Amounts are in cents, prices and quantities in ten-thousandths. A rate is the foreign amount per unit of base
 * currency.
 */

/** Scale of Xero's rates, as a factor. */
const rateScale = 10_000_000_000

/** Rounds half away from zero. */
export function baseCents(cents: number, rate: number): number {
  if (rate === 1) return cents
  const units = BigInt(Math.round(rate * rateScale))
  const size = BigInt(Math.abs(cents)) * BigInt(rateScale)
  return Math.sign(cents) * Number((2n * size + units) / (2n * units))
}

/** Price of a quantity, both in ten-thousandths, less a discount in percent. */
export function lineCents(quantity: number, price: number, discountPercent: number): number {
  return Math.round((quantity * price * (100 - discountPercent)) / 100_000_000)
}

export function taxCentsOf(cents: number, percent: number, isInclusive: boolean): number {
  return Math.round((cents * percent) / (isInclusive ? 100 + percent : 100))
}
