import { Fault, type FaultKind } from '@tributary/engine/ports/faults'
import { expect, test } from 'vitest'
import { attemptsMax, decideOutcome, type RunEnding } from './outcome.ts'

function fault(kind: FaultKind, waitMs?: number): RunEnding {
  const detail = { code: 'test.fault', notice: 'Something is wrong.' }
  return { kind: 'fault', fault: new Fault(kind, waitMs === undefined ? detail : { ...detail, waitMs }) }
}

test.each([
  [{ kind: 'completed', written: 1, deleted: 0 }, 'COMPLETED'],
  [{ kind: 'cancelled' }, 'CANCELLED'],
  [{ kind: 'handedBack' }, 'QUEUED'],
  [fault('settings'), 'FAILED'],
  [fault('signIn'), 'FAILED'],
  [fault('data'), 'FAILED'],
  [fault('bug'), 'FAILED'],
  [fault('busy'), 'WAITING'],
  [fault('passing'), 'WAITING'],
] as [RunEnding, string][])('an ending %o leads to %s', (ending, status) => {
  expect(decideOutcome(ending, 1, 0.5).status).toBe(status)
})

test('a transient fault is retried with exponential backoff, up to a maximum number of attempts', () => {
  const waits = Array.from({ length: attemptsMax - 1 }, (_, index) => decideOutcome(fault('passing'), index + 1, 1))
  expect(waits.map((outcome) => ('waitMs' in outcome ? outcome.waitMs : null))).toEqual([
    5_000, 10_000, 20_000, 40_000, 80_000,
  ])
  expect(decideOutcome(fault('passing'), attemptsMax, 1)).toEqual({ status: 'FAILED' })
})

test('jitter varies the backoff by half, so that many runs do not retry at the same time', () => {
  expect(decideOutcome(fault('passing'), 1, 0)).toMatchObject({ waitMs: 2_500 })
  expect(decideOutcome(fault('passing'), 1, 0.5)).toMatchObject({ waitMs: 3_750 })
})

test('a busy source is waited for as long as it requests, any number of times', () => {
  expect(decideOutcome(fault('busy', 61_000), 50, 0)).toEqual({ status: 'WAITING', waitMs: 61_000, attempt: 'reset' })
})
