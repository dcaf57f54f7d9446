/** Several companies of one kind of source in one set of tables: which ones there are, and what a checkpoint says about each. */
import { Fault, type FaultKind } from './faults.ts'
import type { Checkpoint } from './model.ts'

export interface NamedCompany {
  /** As the source identifies it. It is the value of the company column. */
  readonly id: string
  readonly name: string
}

export interface CompanyFailure {
  readonly company: NamedCompany
  /** Null: it cannot be read at all in this run. */
  readonly stream: string | null
  readonly fault: Fault
}

/** The companies whose rows share the tables of an open source. A company that fails stops no other. */
export interface CompanySet {
  /** The column of every table with the company of the row. It is the first of every key. */
  readonly column: string
  /** The companies that are read. */
  readonly chosen: readonly NamedCompany[]
  /** Ids of former companies whose rows stay. Rows of any other company leave. */
  readonly kept: readonly string[]
  /** The chosen companies that have the stream and have not failed in it. */
  readable(stream: string): readonly NamedCompany[]
  failures(): readonly CompanyFailure[]
}

/** A company failed after rows without a checkpoint. What is not committed must be discarded; the next read leaves it out. */
export class CompanyInterrupted extends Error {
  override readonly name = 'CompanyInterrupted'
}

/** By company. Null: the target has rows of it that no checkpoint describes. */
export type CompanyCheckpoints = ReadonlyMap<string, Checkpoint | null>

/** Names in the checkpoint of a stream. They are stored in targets. */
const companiesKey = 'companies'
const failedKey = 'failed'

export function companyCheckpoints(checkpoint: Checkpoint | null): CompanyCheckpoints {
  const companies = checkpoint?.[companiesKey]
  return new Map(typeof companies === 'string' ? (JSON.parse(companies) as [string, Checkpoint | null][]) : [])
}

/** @param failed companies that the read has left out */
export function companiesCheckpoint(companies: CompanyCheckpoints, failed: readonly string[] = []): Checkpoint {
  return {
    [companiesKey]: JSON.stringify([...companies]),
    ...(failed.length > 0 && { [failedKey]: JSON.stringify(failed) }),
  }
}

/** The companies that the read that ended with this checkpoint has left out. */
export function failedCompanies(checkpoint: Checkpoint | null): readonly string[] {
  const failed = checkpoint?.[failedKey]
  return typeof failed === 'string' ? (JSON.parse(failed) as string[]) : []
}

/** The fault of a run in which some companies failed and the others were read; null if none failed. */
export function companiesFault({ chosen, failures }: CompanySet): Fault | null {
  const found = failures()
  const [first] = found
  if (first === undefined) return null
  const byCompany = Map.groupBy(found, ({ company }) => company.id)
  const words = [...byCompany.values()].map((each) => {
    const whole = each.find(({ stream }) => stream === null)
    const about = whole === undefined ? each : [whole]
    const notices = about.map(({ stream, fault }) => (stream === null ? fault.notice : `${stream}: ${fault.notice}`))
    return `‘${each[0]?.company.name ?? ''}’: ${notices.join(' ')}`
  })
  const isPassing = found.every(({ fault }) => fault.kind === 'passing' || fault.kind === 'busy')
  // Neither a sign-in nor a pause of one company may hold back the schedule of the others.
  const kind: FaultKind = isPassing ? 'passing' : 'settings'
  return new Fault(kind, {
    code: 'companies.some_failed',
    notice: `${byCompany.size} of ${chosen.length} companies could not be read completely, and their rows stay as they were. The others are up to date. ${words.join(' ')}`,
    cause: first.fault,
  })
}
