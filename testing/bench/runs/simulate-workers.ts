/** Workers that claim runs from a real store like the product, and hold each for a simulated time. */
import { sql } from 'kysely'
import { startScheduledRuns } from '../../../server/src/connections/connectors/start-run.ts'
import { claimNextRun, releaseRun, type RunClaim } from '../../../server/src/features/runs/claiming/claim-run.ts'
import { correctCharge, learnNeed } from '../../../server/src/features/runs/claiming/run-needs.ts'
import type { Queue } from '../../../server/src/kernel/queue/queue.ts'
import type { Store } from '../../../server/src/kernel/store/store.ts'

export interface SimulatedLoad {
  /** Their runs become due one after the other, in random order. */
  readonly connectorIds: readonly string[]
  /** How many of their runs are simulated. */
  readonly runs: number
  /** The mean of the exponentially distributed time between two of them. */
  readonly secondsBetween: number
  /** Connectors that are due again as soon as their run ends. */
  readonly alwaysDue: readonly string[]
  readonly meanSeconds: number
  readonly memoryMb: number
}

export interface WaitingTimes {
  /** Seconds from due to claimed, of the runs that become due one after the other. */
  readonly others: readonly number[]
  /** How many runs of the connectors that are always due were claimed. */
  readonly ofLarge: number
}

interface HeldRun {
  readonly worker: number
  readonly claim: RunClaim
  readonly seconds: number
  readonly endsAt: number
}

/** Wake-ups are not needed: every worker with free memory is asked after each event. */
const silentQueue = { notify: async () => undefined, notifyMany: async () => undefined } as unknown as Queue

interface SimulatedWorkers {
  readonly workers: number
  /** The memory of each. */
  readonly memoryMb: number
}

export async function simulate(store: Store, load: SimulatedLoad, workers: SimulatedWorkers): Promise<WaitingTimes> {
  const simulation = new WorkerSimulation(store, load, workers)
  await start(store, load.alwaysDue)
  while (!simulation.isOver) await simulation.step()
  return simulation.finish()
}

class WorkerSimulation {
  readonly #store: Store
  readonly #load: SimulatedLoad
  readonly #workers: SimulatedWorkers
  // Arrivals are the same in every simulation, whatever the workers do.
  readonly #arrivals = createRandom(7)
  readonly #random = createRandom(11)
  readonly #always: ReadonlySet<string>
  readonly #active: HeldRun[] = []
  readonly #dueAt = new Map<string, number>()
  readonly #others: number[] = []
  #now = 0
  #started = 0
  #ofLarge = 0
  #nextDue: number

  constructor(store: Store, load: SimulatedLoad, workers: SimulatedWorkers) {
    this.#store = store
    this.#load = load
    this.#workers = workers
    this.#always = new Set(load.alwaysDue)
    this.#nextDue = this.#arrivals.exponential(load.secondsBetween)
  }

  get isOver(): boolean {
    return this.#others.length >= this.#load.runs
  }

  /** Claims what can be claimed, then advances to the next moment at which a run becomes due or ends. */
  async step(): Promise<void> {
    await this.#claimAll()
    const next = this.#active.toSorted((a, b) => a.endsAt - b.endsAt)[0]
    if (this.#started < this.#load.runs && (next === undefined || this.#nextDue <= next.endsAt)) await this.#becomeDue()
    else if (next !== undefined) await this.#end(next)
  }

  async finish(): Promise<WaitingTimes> {
    for (const run of this.#active) await release(this.#store, run, this.#load.memoryMb)
    return { others: this.#others, ofLarge: this.#ofLarge }
  }

  async #becomeDue(): Promise<void> {
    this.#now = this.#nextDue
    this.#nextDue = this.#now + this.#arrivals.exponential(this.#load.secondsBetween)
    // One that still waits or runs is due later, like a schedule that meets an unfinished run.
    const busy = new Set(this.#active.map(({ claim }) => claim.connectorId))
    const free = this.#load.connectorIds.filter((id) => !this.#dueAt.has(id) && !busy.has(id))
    const chosen = free[Math.floor(this.#arrivals.next() * free.length)]
    if (chosen === undefined) return
    this.#dueAt.set(chosen, this.#now)
    this.#started += 1
    await start(this.#store, [chosen])
  }

  async #end(run: HeldRun): Promise<void> {
    this.#now = run.endsAt
    this.#active.splice(this.#active.indexOf(run), 1)
    await release(this.#store, run, this.#load.memoryMb)
    if (this.#always.has(run.claim.connectorId)) await start(this.#store, [run.claim.connectorId])
  }

  async #claimAll(): Promise<void> {
    const { workers } = this.#workers
    const first = Math.floor(this.#random.next() * workers)
    for (let at = 0; at < workers; at += 1) {
      const worker = (first + at) % workers
      while (await this.#claimNext(worker));
    }
  }

  async #claimNext(worker: number): Promise<boolean> {
    const own = this.#active.filter((run) => run.worker === worker)
    const held = own.reduce((sum, { claim }) => sum + claim.memoryMb, 0)
    const memory = { freeMb: this.#workers.memoryMb - held, isIdle: own.length === 0 }
    if (memory.freeMb < this.#load.memoryMb) return false
    // Across organisations: a worker serves all of them.
    const { claim } = await this.#store.across((db) => claimNextRun(db, `worker ${worker}`, memory))
    if (claim !== undefined) this.#begin(worker, claim)
    return claim !== undefined
  }

  #begin(worker: number, claim: RunClaim): void {
    const { meanSeconds } = this.#load
    const seconds = this.#random.between(meanSeconds / 2, meanSeconds * 1.5)
    this.#active.push({ worker, claim, seconds, endsAt: this.#now + seconds })
    const due = this.#dueAt.get(claim.connectorId)
    this.#dueAt.delete(claim.connectorId)
    if (due === undefined) this.#ofLarge += 1
    else this.#others.push(this.#now - due)
  }
}

async function start(store: Store, connectorIds: readonly string[]): Promise<void> {
  if (connectorIds.length > 0) await store.across((db) => startScheduledRuns(db, silentQueue, connectorIds))
}

/** Ends the run with what it needed, and forgets it, so that the table stays small. */
async function release(store: Store, { claim, seconds }: HeldRun, memoryMb: number): Promise<void> {
  await store.within(claim.organisationId, async (db) => {
    await releaseRun(db, claim, { status: 'COMPLETED' }, {})
    await learnNeed(db, claim, { memoryMb, seconds }, true)
    await correctCharge(db, claim, seconds)
    await sql`DELETE FROM run WHERE id = ${claim.runId}`.execute(db)
  })
}

/** Repeatable random numbers: a linear congruential generator. */
function createRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return {
    next,
    between: (low: number, high: number) => low + next() * (high - low),
    exponential: (mean: number) => -Math.log(1 - next()) * mean,
  }
}
