/** Texts that the tie-out view and the certificate share. */
import type { TieOut } from '@tributary/contract/tie-out'
import { formatDay, formatList } from '../../ui/formats.ts'

/** Formats 'October 2026'. */
export function formatMonth(period: string): string {
  return formatDay(period, 'month')
}

/** Formats a date of the books, independent of the reader's time zone. */
export function formatBookDate(date: string): string {
  return formatDay(date, 'date')
}

const basisLabels = {
  documents: 'from invoices, payments, bank transactions, manual journals and the other documents',
  journals: 'from the lines of the source’s journals',
} as const satisfies Record<TieOut['Basis'], string>

export function describeBasis({ Basis }: Pick<TieOut, 'Basis'>): string {
  return basisLabels[Basis]
}

/** 'October 2026 and November 2026 differed at first …'; null if no month did. */
export function describeCorrections({ Mended }: Pick<TieOut, 'Mended'>): string | null {
  if (Mended.length === 0) return null
  const months = formatList(Mended.map(formatMonth))
  return `${months} differed at first: the source had changed data without updating its modification date. ${Mended.length === 1 ? 'The month was' : 'The months were'} read and compared again.`
}

export function accountName(code: string | null, name: string): string {
  return code === null ? name : `${code} ${name}`
}
