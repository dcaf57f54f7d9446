/** How far posted entries have been read, company by company: what a checkpoint of such a table holds. */
import type { Checkpoint } from '../../ports/model.ts'
import type { Day } from './windows.ts'

export interface CompanyProgress {
  /** Where the first reading of all goes on; null once it is done. */
  readonly from: Day | null
  /** The day on which the last reading began. */
  readonly until: Day
  /** The newest journal when it began; null where there are no journals to go by. */
  readonly journal: number | null
}

export interface Progress {
  readonly companies: ReadonlyMap<string, CompanyProgress>
  /** The key has turned out not to be one, so only a reading of everything tells the rows apart. */
  readonly isWhole: boolean
}

export const noProgress: Progress = { companies: new Map(), isWhole: false }

export function progressOf(checkpoint: Checkpoint | null): Progress {
  const companies = checkpoint?.['companies']
  if (typeof companies !== 'string') return noProgress
  return {
    companies: new Map(JSON.parse(companies) as [string, CompanyProgress][]),
    isWhole: checkpoint?.['whole'] === true,
  }
}

export function checkpointOf({ companies, isWhole }: Progress): Checkpoint {
  return { companies: JSON.stringify([...companies]), ...(isWhole && { whole: true }) }
}

export function withCompany({ companies, isWhole }: Progress, company: string, reached: CompanyProgress): Progress {
  return { companies: new Map([...companies, [company, reached]]), isWhole }
}
