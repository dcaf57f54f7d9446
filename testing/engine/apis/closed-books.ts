/**
 * A Xero company whose books are changed at random, in open and in closed months, while its lock dates move; and what the
 * examinations of closed periods have to find, according to the simulator's own journals.
 */
import { randomUUID } from 'node:crypto'
import type { ClosedPeriodExamination, ClosedPeriodRequest } from '@tributary/engine/ports/closed-periods'
import { xeroClosedPeriods } from '@tributary/engine/apis/xero/ledger/closed-periods'
import type { ReportMark, SyncOutcome } from '@tributary/engine/sync/sync-request'
import type { XeroCompany } from '@tributary/sims/xero/books/company'
import {
  addBankTransaction,
  addCreditNote,
  addInvoice,
  amend,
  deletePayment,
  isUntouched,
  openCents,
  pay,
  reverseEntry,
  withdraw,
} from '@tributary/sims/xero/books/invoices-and-payments'
import { addManualJournal, endManualJournal } from '@tributary/sims/xero/books/other-transactions'
import { postInvoice } from '@tributary/sims/xero/books/posting'
import { createRandom } from '@tributary/sims/random'
import type { XeroConnector } from './xero-connector.ts'

const dayMs = 86_400_000
type Random = ReturnType<typeof createRandom>

/** A change as the list shows it: kind of change, document, and cents moved in the closed period by account code. */
export interface ListedChange {
  readonly id: string
  readonly change: string
  readonly moved: Readonly<Record<string, number>>
}

/** Cents by document, then by day and account code: `2026-06-05 200`. */
type Ledger = ReadonlyMap<string, ReadonlyMap<string, number>>

export class ClosedBooks {
  readonly xero: XeroConnector
  readonly #random: Random
  /** As the store keeps it. */
  #state = {
    examinedUpTo: null,
    examinedBy: null,
    examinedFrom: null,
    closedThrough: null,
    closedThroughBefore: null,
  } as Omit<ClosedPeriodRequest, 'version' | 'administratorDate' | 'table'>
  #administratorDate: string | null = null
  /** The ledger at the last stored examination, and at the one before. */
  #ledger: Ledger = new Map()
  #ledgerBefore: Ledger = new Map()
  /** Every listed change so far, in the order of the runs. */
  readonly listed: ListedChange[][] = []
  readonly expected: ListedChange[][] = []
  kills = 0
  /** Marks "as reported" whose views the next runs create. */
  readonly marks: ReportMark[] = []

  constructor(xero: XeroConnector, seed: number) {
    this.xero = xero
    this.#random = createRandom(seed)
  }

  /** Marks what the last stored run has left as reported. */
  mark(slug: string): void {
    if (this.#state.examinedUpTo === null) throw new Error('No run was examined yet.')
    this.marks.push({ slug, moment: this.#state.examinedUpTo })
  }

  get company(): XeroCompany {
    const company = this.xero.sim.companies.find(({ tenantId }) => tenantId === this.xero.tenantId)
    if (company === undefined) throw new Error('There is a company.')
    return company
  }

  /** One month: random changes, perhaps other lock dates, and a run, which is killed sometimes and then repeated. */
  async month(): Promise<void> {
    const { clock } = this.xero
    clock.advance(this.#random.between(20, 40) * dayMs)
    for (let left = this.#random.between(0, 6); left > 0; left -= 1) {
      clock.advance(this.#random.between(1, 60) * 60_000)
      this.change()
    }
    if (this.#random.next() < 0.5) this.moveLocks()
    clock.advance(3_600_000)
    await this.run()
  }

  /** @param runId of a run that was killed and continues */
  async run(runId: string = randomUUID()): Promise<void> {
    const isCut = this.#random.next() < 0.15
    const stop = new AbortController()
    const requests = this.xero.sim.requests.length + this.#random.between(2, 40)
    const outcome = await this.xero.run({
      runId,
      signal: stop.signal,
      marks: this.marks,
      closedPeriods: { ...this.#request(), definition: xeroClosedPeriods },
      report: () => {
        if (isCut && this.xero.sim.requests.length >= requests) stop.abort(new Error('killed'))
      },
    })
    // The process may also die after the target has committed everything, and before the store knows of it.
    const isLost = this.#random.next() < 0.1
    if (outcome.status !== 'completed' || isLost) {
      if (outcome.status === 'failed')
        throw new Error(`The run failed: ${outcome.fault?.notice ?? ''}`, { cause: outcome.fault })
      this.kills += 1
      const isNewRun = this.#random.next() < 0.5
      // A retry does not read again what an earlier attempt has finished: changes meanwhile are seen by the run after it.
      if (isNewRun && this.#random.next() < 0.5) this.change()
      this.xero.clock.advance(3_600_000)
      return this.run(isNewRun ? randomUUID() : runId)
    }
    this.#store(runId, requireExamination(outcome))
  }

  #request(): ClosedPeriodRequest {
    return { version: '1', administratorDate: this.#administratorDate, table: null, ...this.#state }
  }

  #store(runId: string, found: ClosedPeriodExamination): void {
    const isRepeated = this.#state.examinedBy === runId
    const before = isRepeated ? this.#ledgerBefore : this.#ledger
    const closed = isRepeated ? this.#state.closedThroughBefore : this.#state.closedThrough
    const now = ledgerOf(this.company)
    if (isRepeated) {
      this.listed.pop()
      this.expected.pop()
    }
    this.listed.push(found.changes.map(toListed).toSorted(byId))
    this.expected.push(
      found.from === null || closed === null ? [] : differences(this.company, { before, now, closed }).toSorted(byId),
    )
    const { period = null, yearEnd = null } = found.lockDates ?? {}
    const days = [period, yearEnd, found.administratorDate].filter((day) => day !== null).toSorted()
    this.#state = {
      examinedUpTo: found.upTo,
      examinedBy: runId,
      examinedFrom: found.from,
      closedThrough: days.at(-1) ?? null,
      closedThroughBefore: closed,
    }
    this.#ledgerBefore = before
    this.#ledger = now
  }

  moveLocks(): void {
    const random = this.#random
    const day = (): number | null =>
      random.next() < 0.15 ? null : monthEnd(this.xero.clock.now(), random.between(1, 8))
    const isSet = random.next() < 0.3
    this.#administratorDate = isSet ? isoDay(monthEnd(this.xero.clock.now(), random.between(1, 6))) : null
    this.xero.sim.lock(this.xero.tenantId, { period: day(), yearEnd: random.next() < 0.3 ? day() : null })
  }

  /** A day in the last year, in the books. */
  #day(): number {
    const now = this.xero.clock.now()
    const at = now - this.#random.between(0, 240) * dayMs
    return Math.max(at - (at % dayMs), this.company.foundedAt)
  }

  /** Adds, edits, dates otherwise, voids or deletes a document of any month. */
  change(): void {
    const { company } = this
    const random = this.#random
    const now = this.xero.clock.now()
    const date = this.#day()
    const pick = <T>(all: readonly T[]): T | undefined => (all.length === 0 ? undefined : random.pick(all))
    const untouched = pick(company.invoices.filter((each) => isUntouched(each)))
    const unpaid = pick(company.invoices.filter((each) => each.status === 'AUTHORISED' && openCents(each) > 0))
    const payment = pick(company.payments.filter(({ status, batch }) => status === 'AUTHORISED' && batch === null))
    const journal = pick(company.manualJournals.filter(({ status }) => status === 'POSTED'))
    const bank = pick(
      company.bankTransactions.filter(({ journal: entry, credit }) => entry !== null && credit === null),
    )
    const changes: readonly (() => void)[] = [
      () => touch(addInvoice(company, random.pick(['sell', 'buy'] as const), date), now),
      () => touch(addBankTransaction(company, random.pick(['sell', 'buy'] as const), date), now),
      () => touch(addManualJournal(company, date), now),
      () => untouched !== undefined && amend(company, untouched, now),
      () => untouched !== undefined && withdraw(company, untouched, now),
      () => untouched !== undefined && moveDate(company, untouched, { date, now }),
      () => untouched !== undefined && moveDate(company, untouched, { date, now }),
      () => unpaid !== undefined && touch(addCreditNote(company, unpaid, date), now),
      () => {
        if (unpaid === undefined) return
        touch(pay(company, unpaid, { cents: Math.ceil(openCents(unpaid) / 2), at: Math.max(date, unpaid.date) }), now)
        touch(unpaid, now)
      },
      () => payment !== undefined && deletePayment(company, payment, now),
      () => journal !== undefined && endManualJournal(company, journal, now),
      () => bank !== undefined && withdraw(company, bank, now),
    ]
    random.pick(changes)()
  }
}

function requireExamination({ closedPeriods: found }: SyncOutcome): ClosedPeriodExamination {
  if (found === null || 'fault' in found) throw new Error(`Nothing was examined: ${String(found?.fault.message)}`)
  return found
}

function touch(document: { updatedAt: number }, now: number): void {
  document.updatedAt = now
}

function moveDate(
  company: XeroCompany,
  invoice: XeroCompany['invoices'][number],
  to: { date: number; now: number },
): void {
  reverseEntry(company, invoice, to.now)
  Object.assign(invoice, { date: to.date, updatedAt: to.now })
  postInvoice(company, invoice, to.now)
}

/** What every document posts, by day and account. */
function ledgerOf({ journals }: XeroCompany): Ledger {
  const ledger = new Map<string, Map<string, number>>()
  for (const { source, date, postings } of journals) {
    if (source === null) continue
    const sums = ledger.get(source.id) ?? new Map<string, number>()
    ledger.set(source.id, sums)
    for (const { account, cents } of postings) {
      const key = `${isoDay(date)} ${account.code}`
      sums.set(key, (sums.get(key) ?? 0) + cents)
    }
  }
  for (const sums of ledger.values()) for (const [key, cents] of sums) if (cents === 0) sums.delete(key)
  return ledger
}

interface Interval {
  readonly before: Ledger
  readonly now: Ledger
  /** The last closed day. */
  readonly closed: string
}

function differences(company: XeroCompany, { before, now, closed }: Interval): ListedChange[] {
  const ids = new Set([...before.keys(), ...now.keys()])
  return [...ids].flatMap((id): ListedChange[] => {
    const [was, is] = [before.get(id) ?? new Map<string, number>(), now.get(id) ?? new Map<string, number>()]
    const isSame = [...new Set([...was.keys(), ...is.keys()])].every(
      (key) => key.slice(0, 10) > closed || was.get(key) === is.get(key),
    )
    if (isSame) return []
    const moved: Record<string, number> = {}
    for (const [sums, sign] of [
      [was, -1],
      [is, 1],
    ] as const)
      for (const [key, cents] of sums)
        if (key.slice(0, 10) <= closed) moved[key.slice(11)] = (moved[key.slice(11)] ?? 0) + sign * cents
    const change = was.size === 0 ? 'added' : is.size > 0 ? 'changed' : goneAs(company, id)
    return [{ id, change, moved: Object.fromEntries(Object.entries(moved).filter(([, cents]) => cents !== 0)) }]
  })
}

function goneAs({ invoices, bankTransactions, payments, manualJournals }: XeroCompany, id: string): string {
  const found = [...invoices, ...bankTransactions, ...payments, ...manualJournals].find((each) => each.id === id)
  return found?.status === 'VOIDED' ? 'voided' : 'deleted'
}

function toListed({ id, change, moved }: ClosedPeriodExamination['changes'][number]): ListedChange {
  const cents = moved.map(({ code, moved: amount }) => [code ?? 'none', Math.round(Number(amount) * 100)] as const)
  return { id, change, moved: Object.fromEntries(cents) }
}

const byId = (one: ListedChange, other: ListedChange): number => one.id.localeCompare(other.id)

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The last day of the month that lies this many months back. */
function monthEnd(now: number, back: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back + 1, 0)
}
