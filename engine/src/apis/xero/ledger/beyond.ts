/** What Xero books by itself: accounts whose figures no document tells, and those on the other side of the same entries. */
import { oneOf } from './posting.ts'

interface Cause {
  /** For people. */
  readonly reason: string
  /** The accounts that only Xero writes to, over `a` (an account). */
  readonly of: string
  /** Accounts that documents write to as well, over `a` and `o` (the company): they differ by what the others take. */
  readonly against?: string
}

const causes: Readonly<Record<string, Cause>> = {
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

/** An expression for the cause that an account belongs to, null for none; over `a` and `o`. */
export const causeOfAccount = `CASE ${Object.entries(causes)
  .flatMap(([name, { of, against }]) =>
    [of, ...(against === undefined ? [] : [against])].map((when) => `WHEN ${when} THEN '${name}'`),
  )
  .join(' ')} END`

/** An expression: 1 for an account that only Xero writes to. */
export const isXeros = `CASE WHEN ${Object.values(causes)
  .map(({ of }) => of)
  .join(' OR ')} THEN 1 ELSE 0 END`

/** An expression for the words. @param cause an expression for its name. */
export function reasonOf(cause: string): string {
  return `CASE ${cause} ${Object.entries(causes)
    .map(([name, { reason }]) => `WHEN '${name}' THEN '${reason}'`)
    .join(' ')} END`
}
