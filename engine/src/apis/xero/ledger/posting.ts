/** One kind of posting of one kind of document, as the parts of a SELECT, and the arithmetic that all of them share. */

export interface Posting {
  /** An expression for the account's id, or the part that the account plays for Xero: `DEBTORS` or an expression for one. */
  readonly account: { readonly id: string } | { readonly part: string }
  readonly date: string
  readonly kind: string
  readonly id: string
  readonly number: string
  readonly contact: string
  /** In base currency, debit positive. */
  readonly amount: string
  /** What follows FROM. */
  readonly from: string
}

/** Who and what a posting is of: the same for all postings of a document. */
export type Heading = Omit<Posting, 'account' | 'amount' | 'from'>

/** A text that is null, of a type that every database sees as text. */
export const nothing = `NULLIF('', '')`

/**
 * An amount in base currency: Xero's rate says how much foreign money one of it buys. The factor gives the division the digits that
 * a rate of ten decimals needs, so that no half cent is made by rounding twice.
 */
export function inBase(amount: string, rate: string): string {
  return cents(`${amount} * 1.00000000 / COALESCE(NULLIF(${rate}, 0), 1)`)
}

/** To the cent, a half away from zero, as all three databases round decimals. */
export function cents(amount: string): string {
  return `CAST(ROUND(${amount}, 2) AS decimal(19,2))`
}

/** What a line comes to before tax. */
export function netOf(line: string, document: string): string {
  return `(COALESCE(${line}.line_amount, 0) - CASE WHEN UPPER(${document}.line_amount_types) = 'INCLUSIVE' THEN COALESCE(${line}.tax_amount, 0) ELSE 0 END)`
}

/** A flag that is not set, whatever the database writes for it. */
export function isUnset(flag: string): string {
  return `COALESCE(CAST(${flag} AS char(5)), '0') IN ('0', 'false')`
}

export function oneOf(expression: string, values: readonly string[]): string {
  return `${expression} IN (${values.map((value) => `'${value}'`).join(', ')})`
}
