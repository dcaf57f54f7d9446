/** The working side: takes runs, looks after those nobody looks after, and fires the schedules. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ActiveRuns } from './features/runs/active-runs.ts'
import { fireDue } from './features/runs/fire.ts'
import { move } from './features/runs/move.ts'
import { runBell } from './features/runs/start.ts'
import { sweep } from './features/runs/sweep.ts'
import { warehouseTarget } from './features/warehouse/warehouse.ts'
import type { Parts } from './platform/parts.ts'

export interface Worker {
  /** Gives every run back to the queue and stops looking for more. */
  stop(): Promise<void>
}

export interface WorkerOptions {
  /** Runs at once in this process. */
  readonly slots?: number
  /** A worker not heard of for this long is taken for dead. Shorter: a stutter costs a restart; longer: people wait. */
  readonly leaseMs?: number
  /** How often to look for lost runs and for due schedules. */
  readonly lookMs?: number
}

const beatMs = 1_000

export async function startWorker(parts: Parts, { slots = 4, leaseMs = 20_000, lookMs = 5_000 }: WorkerOptions = {}): Promise<Worker> {
  const { store, queue } = parts
  const active = new ActiveRuns({
    parts,
    worker: `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
    leaseMs,
    move: (one) => move({ ...one, parts, warehouseTarget: (organisationId, schema) => warehouseTarget(parts, organisationId, schema) }),
  })
  const stopping = new AbortController()
  // Across: a worker serves every organisation.
  const rounds = [
    repeat(parts, beatMs, stopping.signal, () => active.beat()),
    repeat(parts, lookMs, stopping.signal, () => store.across((db) => sweep(db, queue, leaseMs))),
    repeat(parts, lookMs, stopping.signal, () => fireAllDue(parts)),
  ]
  const unlisten = await queue.listen(runBell, slots, (runId) => active.answer(runId))
  return {
    async stop() {
      await unlisten()
      await active.stop()
      stopping.abort()
      await Promise.all(rounds)
    },
  }
}

/** Batch after batch, so that no transaction grows with the number of schedules. */
async function fireAllDue({ store, queue }: Parts): Promise<void> {
  while ((await store.across((db) => fireDue(db, queue))) > 0);
}

/** Again and again, each round after the last one's end. A round that fails is told once, until one succeeds. */
async function repeat({ log }: Parts, everyMs: number, signal: AbortSignal, round: () => Promise<void>): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    try {
      await round()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('the worker cannot do its round', { error })
      isFailing = true
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
