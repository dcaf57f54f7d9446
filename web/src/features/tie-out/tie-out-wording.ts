/** The tie-out in words that the view and the certificate share. */
import type { TieOut } from '@tributary/contract/tie-out'

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** 'October 2026' */
export function monthName(period: string): string {
  return monthFormat.format(Date.parse(period))
}

/** A date of the books, the same wherever one reads it. */
export function bookDate(date: string): string {
  return dayFormat.format(Date.parse(date))
}

const bases = {
  documents: 'from invoices, payments, bank transactions, manual journals and the other documents',
  journals: 'from the lines of the source’s journals',
} as const satisfies Record<TieOut['Basis'], string>

export function basisWords({ Basis }: Pick<TieOut, 'Basis'>): string {
  return bases[Basis]
}

/** 'October 2026 and November 2026 differed at first …'; null where nothing did. */
export function mendedWords({ Mended }: Pick<TieOut, 'Mended'>): string | null {
  if (Mended.length === 0) return null
  const months = new Intl.ListFormat('en-GB').format(Mended.map(monthName))
  return `${months} differed at first: something had been changed at the source without saying so. ${Mended.length === 1 ? 'The month was' : 'The months were'} read again and compared anew.`
}
