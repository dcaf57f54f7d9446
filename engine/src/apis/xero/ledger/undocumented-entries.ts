/**
 * Entries that Xero books without a document: the accounts concerned, and the accounts on the other side of those
 * entries.
 */
import { oneOf } from './posting.ts'

interface UnexplainedCause {
  /** Shown to people. */
  readonly reason: string
  /** A condition for accounts that only Xero writes to, over `a` (the account). */
  readonly of: string
  /**
   * A condition for accounts that documents write to as well, over `a` and `o` (the organisation): they differ by the
   * opposite amount.
   */
  readonly against?: string
}

const causes: Readonly<Record<string, UnexplainedCause>> = {
  revaluation: {
    reason: 'Xero revalues what is owed in foreign currencies by itself; no document shows it.',
    of: `a.system_account = 'UNREALISEDCURRENCYGAIN'`,
    against: oneOf('a.system_account', ['DEBTORS', 'CREDITORS']),
  },
  banks: {
    reason: 'Xero revalues bank accounts in foreign currencies by itself; no document shows it.',
    of: `a.system_account = 'BANKCURRENCYGAIN'`,
    against: `a.type = 'BANK' AND a.currency_code <> o.base_currency`,
  },
  inventory: {
    reason: 'Xero books the cost of tracked inventory by itself; no document shows it.',
    of: `a.type = 'INVENTORY'`,
    against: `a.type = 'DIRECTCOSTS'`,
  },
  depreciation: {
    reason: 'Xero books depreciation from its asset register; no document shows it.',
    of: `a.type = 'DEPRECIATN'`,
    against: `a.type = 'FIXED'`,
  },
  payroll: {
    reason: 'Xero books wages from its payroll; no document shows it.',
    of: oneOf('a.type', [
      'WAGESEXPENSE',
      'WAGESPAYABLELIABILITY',
      'SUPERANNUATIONEXPENSE',
      'SUPERANNUATIONLIABILITY',
      'PAYGLIABILITY',
    ]),
  },
  conversion: {
    reason: 'It holds what was brought over when the company began with Xero, or closes a year; no document shows it.',
    of: oneOf('a.system_account', ['HISTORICAL', 'RETAINEDEARNINGS']),
  },
}

/** SQL expression for the cause that an account belongs to, or null; over `a` and `o`. */
export const causeOfAccount = `CASE ${Object.entries(causes)
  .flatMap(([name, { of, against }]) =>
    [of, ...(against === undefined ? [] : [against])].map((when) => `WHEN ${when} THEN '${name}'`),
  )
  .join(' ')} END`

/** SQL expression: 1 for an account that only Xero writes to. */
export const isBookedByXero = `CASE WHEN ${Object.values(causes)
  .map(({ of }) => of)
  .join(' OR ')} THEN 1 ELSE 0 END`

/** SQL expression for a cause's text. @param cause an expression for the cause's name */
export function reasonOf(cause: string): string {
  return `CASE ${cause} ${Object.entries(causes)
    .map(([name, { reason }]) => `WHEN '${name}' THEN '${reason}'`)
    .join(' ')} END`
}
