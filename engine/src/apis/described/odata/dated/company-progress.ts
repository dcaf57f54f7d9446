/** Progress of rows with a date by company: the content of the table's checkpoint. */
import type { Checkpoint } from '../../../../ports/model.ts'
import type { CalendarDay } from './date-windows.ts'

export interface CompanyProgress {
  /** Where the initial read resumes; null once it is complete. */
  readonly from: CalendarDay | null
  /** The day on which the last read began. */
  readonly until: CalendarDay
  /** The highest growing number at that time, such as that of a posted journal; null if the table has none. */
  readonly journal: number | null
}

export interface DatedProgress {
  readonly companies: ReadonlyMap<string, CompanyProgress>
  /** The key is not unique, so only a complete read can number the rows. */
  readonly isWhole: boolean
}

export const noProgress: DatedProgress = { companies: new Map(), isWhole: false }

export function progressFromCheckpoint(checkpoint: Checkpoint | null): DatedProgress {
  const companies = checkpoint?.['companies']
  if (typeof companies !== 'string') return noProgress
  return {
    companies: new Map(JSON.parse(companies) as [string, CompanyProgress][]),
    isWhole: checkpoint?.['whole'] === true,
  }
}

export function checkpointOf({ companies, isWhole }: DatedProgress): Checkpoint {
  return { companies: JSON.stringify([...companies]), ...(isWhole && { whole: true }) }
}

export function withCompany(
  { companies, isWhole }: DatedProgress,
  company: string,
  reached: CompanyProgress,
): DatedProgress {
  return { companies: new Map([...companies, [company, reached]]), isWhole }
}
