/** A posting of one kind of document, as the parts of a SELECT, and the arithmetic that all postings share. */

export interface LedgerPosting {
  /** An SQL expression for the account's id, or for the system account: `DEBTORS`. */
  readonly account: { readonly id: string } | { readonly systemAccount: string }
  readonly date: string
  readonly kind: string
  readonly id: string
  readonly number: string
  readonly contact: string
  /** In base currency, debit positive. */
  readonly amount: string
  /** The FROM clause. */
  readonly from: string
}

/** The columns that all postings of a document share. */
export type PostingHeading = Omit<LedgerPosting, 'account' | 'amount' | 'from'>

/** A null with a type that every database treats as text. */
export const nullText = `NULLIF('', '')`

/**
 * Converts an amount to base currency. Xero's rate is the foreign amount per unit of base currency.
 * The factor extends the division's scale for ten-decimal rates, which avoids double rounding.
 */
export function toBaseCurrency(amount: string, rate: string): string {
  return roundToCents(`${amount} * 1.00000000 / COALESCE(NULLIF(${rate}, 0), 1)`)
}

/** Rounds to cents, half away from zero, as all three databases round decimals. */
export function roundToCents(amount: string): string {
  return `CAST(ROUND(${amount}, 2) AS decimal(19,2))`
}

/** A line's amount before tax. */
export function netOf(line: string, document: string): string {
  return `(COALESCE(${line}.line_amount, 0) - CASE WHEN UPPER(${document}.line_amount_types) = 'INCLUSIVE' THEN COALESCE(${line}.tax_amount, 0) ELSE 0 END)`
}

/** True for a flag that is false or null, in each database's notation. */
export function isUnset(flag: string): string {
  return `COALESCE(CAST(${flag} AS char(5)), '0') IN ('0', 'false')`
}

export function oneOf(expression: string, values: readonly string[]): string {
  return `${expression} IN (${values.map((value) => `'${value}'`).join(', ')})`
}
