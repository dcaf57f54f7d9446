/** Progress of posted entries per company: the content of the table's checkpoint. */
import type { Checkpoint } from '../../ports/model.ts'
import type { UnicontaDay } from './date-windows.ts'

export interface CompanyProgress {
  /** Where the initial read resumes; null once it is complete. */
  readonly from: UnicontaDay | null
  /** The day on which the last read began. */
  readonly until: UnicontaDay
  /** The newest journal at that time; null if the table has no journal numbers. */
  readonly journal: number | null
}

export interface UnicontaProgress {
  readonly companies: ReadonlyMap<string, CompanyProgress>
  /** The key is not unique, so only a complete read can number the rows. */
  readonly isWhole: boolean
}

export const noProgress: UnicontaProgress = { companies: new Map(), isWhole: false }

export function progressFromCheckpoint(checkpoint: Checkpoint | null): UnicontaProgress {
  const companies = checkpoint?.['companies']
  if (typeof companies !== 'string') return noProgress
  return {
    companies: new Map(JSON.parse(companies) as [string, CompanyProgress][]),
    isWhole: checkpoint?.['whole'] === true,
  }
}

export function checkpointOf({ companies, isWhole }: UnicontaProgress): Checkpoint {
  return { companies: JSON.stringify([...companies]), ...(isWhole && { whole: true }) }
}

export function withCompany(
  { companies, isWhole }: UnicontaProgress,
  company: string,
  reached: CompanyProgress,
): UnicontaProgress {
  return { companies: new Map([...companies, [company, reached]]), isWhole }
}
