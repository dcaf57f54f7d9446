/** Records which companies have failed in a run, and in which streams. */
import { type CompanyFailure, type NamedCompany } from '../ports/companies.ts'
import { asFault, type Fault } from '../ports/faults.ts'

/** After so many streams in a row with transient faults, a company is not read any more in this run. */
const passingInARowMax = 3

export class CompanyFaults {
  readonly #companies: readonly NamedCompany[]
  readonly #signal: AbortSignal
  readonly #log: (line: string) => void
  readonly #failures: CompanyFailure[] = []
  readonly #passingInARow = new Map<string, number>()

  constructor({
    companies,
    signal,
    log,
  }: {
    readonly companies: readonly NamedCompany[]
    readonly signal: AbortSignal
    readonly log: (line: string) => void
  }) {
    this.#companies = companies
    this.#signal = signal
    this.#log = log
  }

  /** Null if it failed: then the company is left out of the run. */
  async attempt<T>(company: NamedCompany, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (this.#signal.aborted) throw error
      this.#add({ company, stream: null, fault: asFault(error) })
      return null
    }
  }

  record(company: NamedCompany, stream: string, fault: Fault): void {
    const passing = fault.kind === 'passing' ? (this.#passingInARow.get(company.id) ?? 0) + 1 : 0
    this.#passingInARow.set(company.id, passing)
    const concernsCompany = fault.kind === 'signIn' || fault.kind === 'busy' || passing >= passingInARowMax
    this.#add({ company, stream: concernsCompany ? null : stream, fault })
  }

  succeeded(id: string): void {
    this.#passingInARow.set(id, 0)
  }

  hasFailed(id: string, stream: string): boolean {
    return this.#failures.some((each) => each.company.id === id && (each.stream === null || each.stream === stream))
  }

  list(): readonly CompanyFailure[] {
    return this.#failures
  }

  /** @throws Fault of the first company if all of them have failed */
  assertAnyLeft(): void {
    const isOut = ({ id }: NamedCompany): boolean =>
      this.#failures.some(({ company, stream }) => company.id === id && stream === null)
    const [first] = this.#failures
    if (first !== undefined && this.#companies.every(isOut)) throw first.fault
  }

  #add(failure: CompanyFailure): void {
    const { company, stream, fault } = failure
    this.#failures.push(failure)
    const what = stream === null ? `‘${company.name}’ cannot be read` : `${stream}: ‘${company.name}’ cannot be read`
    this.#log(`${what}, so its rows stay as they are. ${fault.notice}`)
  }
}
