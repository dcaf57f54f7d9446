/** Financial years. */
import type { XeroCompany } from './company.ts'

/** The first day of the financial year that contains a day. */
export function yearStart({ yearEndMonth }: Pick<XeroCompany, 'yearEndMonth'>, day: number): number {
  const date = new Date(day)
  const year = date.getUTCMonth() >= yearEndMonth ? date.getUTCFullYear() : date.getUTCFullYear() - 1
  return Date.UTC(year, yearEndMonth, 1)
}
