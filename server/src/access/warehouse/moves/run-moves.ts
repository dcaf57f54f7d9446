/**
 * Moves warehouses to other servers. The row of a move says how far it is, so that any worker continues it after a kill. Each step can be
 * repeated. A worker claims a move with a higher fence than all before, and keeps a heartbeat.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@tributary/engine/ports/faults'
import { isoTime } from '../../../kernel/clock.ts'
import type { HeldMove, MoveOptions, MoveServices } from './held-move.ts'
import { changeMove, claimMoveEverywhere, MoveLost, type MoveRow, releaseMove } from './move-rows.ts'
import { copyStep, dropStep, endEarly, finishStep, holdStep, letWritersContinue, verifyStep } from './move-steps.ts'

const retryMs = 15_000
/** If the last changes cannot be copied for this long, runs continue, and the move starts over with what is copied. */
const holdMaxMs = 15 * 60_000
const pauseMs = 10 * 60_000

/** Continues the moves that no worker holds, one after the other. */
export async function runMoves(services: MoveServices, options: MoveOptions): Promise<void> {
  const { signal, leaseMs = 20_000 } = options
  while (!signal.aborted) {
    // Across: moves belong to all organisations.
    const move = await services.store.across((db) => claimMoveEverywhere(db, leaseMs, isoTime(services.clock.now())))
    if (move === undefined) return
    await runMove(services, move, { ...options, leaseMs })
  }
}

async function runMove(
  services: MoveServices,
  claimed: MoveRow,
  { signal, leaseMs, patienceMs = 300_000, graceMs = 10_000, beforeStep }: MoveOptions & { readonly leaseMs: number },
): Promise<void> {
  const ending = new AbortController()
  const both = AbortSignal.any([signal, ending.signal])
  const beating = sendHeartbeats(services, claimed, { ending, leaseMs, signal: both })
  let move = claimed
  try {
    while (move.endedAt === null && !(move.state === 'KEPT' && claimed.state !== 'KEPT')) {
      await beforeStep?.(move.state)
      both.throwIfAborted()
      move = await step({ move, services, signal: both, patienceMs, graceMs })
    }
    await services.store.within(move.organisationId, (db) => releaseMove(db, move, { retryMs: null, notice: null }))
  } catch (error) {
    await handleProblem(
      { move, services, signal, patienceMs, graceMs },
      ending.signal.aborted ? ending.signal.reason : error,
    )
  } finally {
    ending.abort(new MoveLost('The step has ended.'))
    await beating
  }
}

/** Returns the row after the step. */
async function step(held: HeldMove): Promise<MoveRow> {
  switch (held.move.state) {
    case 'COPYING':
      return await copyStep(held)
    case 'HOLDING':
      return await holdStep(held)
    case 'VERIFYING':
      return await verifyStep(held)
    case 'SWITCHED':
      return await finishStep(held)
    default:
      return await dropStep(held)
  }
}

/** The provider has cancelled the move. */
class MoveCancelled extends Error {}

interface Heartbeats {
  readonly ending: AbortController
  readonly leaseMs: number
  readonly signal: AbortSignal
}

/** Ends the step if another worker has claimed the move, or the provider has cancelled it before the switch. */
async function sendHeartbeats(
  { store }: Pick<MoveServices, 'store'>,
  move: MoveRow,
  { ending, leaseMs, signal }: Heartbeats,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const row = await store.within(move.organisationId, (db) => changeMove(db, move, {}))
      if (row.cancelRequestedAt !== null && isBeforeSwitch(row)) ending.abort(new MoveCancelled('Cancelled.'))
    } catch (error) {
      // The store may be away for a moment. Without heartbeats another worker claims the move, which this one learns from the next one.
      if (error instanceof MoveLost) ending.abort(error)
    }
    await sleep(leaseMs / 5, undefined, { signal }).catch(() => undefined)
  }
}

function isBeforeSwitch({ state }: MoveRow): boolean {
  return state === 'COPYING' || state === 'HOLDING' || state === 'VERIFYING'
}

async function handleProblem(held: HeldMove, error: unknown): Promise<void> {
  const { services, move, signal } = held
  const { organisationId } = move
  if (error instanceof MoveLost) return
  const current = await services.store.within(organisationId, (db) => changeMove(db, move, {})).catch(() => move)
  if (signal.aborted) {
    await services.store.within(organisationId, (db) => releaseMove(db, move, { retryMs: null, notice: null }))
    return
  }
  if (error instanceof MoveCancelled) return await endEarly({ ...held, move: current }, 'CANCELLED', null)
  const refusal = isBeforeSwitch(current) ? refusalOf(error) : null
  if (refusal !== null) return await endEarly({ ...held, move: current }, 'FAILED', refusal)
  services.log.warn('a move of a warehouse is tried again', { organisationId, error })
  const isHeldTooLong = current.heldAt !== null && services.clock.now() - Date.parse(current.heldAt) > holdMaxMs
  const isPaused = isHeldTooLong && isBeforeSwitch(current) && (await tryToContinue(held, current))
  const notice = `It is tried again: ${error instanceof Error ? error.message : String(error)}`
  await services.store.within(organisationId, (db) =>
    releaseMove(db, current, { retryMs: isPaused ? pauseMs : retryMs, notice }),
  )
}

/** Lets runs continue on the old server. Returns false if it does not answer. */
async function tryToContinue(held: HeldMove, move: MoveRow): Promise<boolean> {
  try {
    await letWritersContinue({ ...held, move })
    return true
  } catch {
    return false
  }
}

/** What cannot be solved by another attempt, for people. Null: try again. */
function refusalOf(error: unknown): string | null {
  if (error instanceof Fault) return error.kind === 'settings' ? error.notice : null
  const { code } = error as { readonly code?: unknown }
  // SQLSTATEs, except those of connections, of a server that stops or is full, of locks, and of concurrent changes.
  const isRefusal =
    typeof code === 'string' && /^[0-9A-Z]{5}$/u.test(code) && !/^(?:08|25|40|53|55|57|58)|^42P01$/u.test(code)
  return isRefusal && error instanceof Error ? `PostgreSQL refuses it: ${error.message}` : null
}
