import { expect, test } from 'vitest'
import type { Checkpoint } from '../model.ts'
import { column, table } from '../testing/fixtures.ts'
import { isSweepDue, planStream, type Plan } from './plan.ts'

const keyed = table('invoice', [column('id', { kind: 'integer', bytes: 8 }, false)])
const keyless = table('log', [column('line', { kind: 'text' })], [])
const fresh = { checkpoint: null, refresh: null, finishedRun: null }
const loaded = { ...fresh, checkpoint: { page: 9 } }
const half = { checkpoint: { page: 3 }, runId: 'this' }
const replaced = (resume: boolean, since: Checkpoint | null = null): Plan => ({ kind: 'read', mode: { kind: 'replace', resume }, since })
const merged: Plan = { kind: 'read', mode: { kind: 'merge' }, since: { page: 9 } }

test.each([
  ['a first run loads everything beside', keyed, 'since', fresh, 'incremental', replaced(false)],
  [
    'a first load that was interrupted goes on, whichever run began it',
    keyed,
    'since',
    { ...fresh, refresh: { ...half, runId: 'another' } },
    'incremental',
    replaced(true, { page: 3 }),
  ],
  ['a later run reads on from the checkpoint', keyed, 'since', loaded, 'incremental', merged],
  ['a full refresh starts at the beginning', keyed, 'since', loaded, 'full', replaced(false)],
  ['a full refresh goes on where this run stopped', keyed, 'since', { ...loaded, refresh: half }, 'full', replaced(true, { page: 3 })],
  [
    'a full refresh does not go on where another run stopped',
    keyed,
    'since',
    { ...loaded, refresh: { ...half, runId: 'another' } },
    'full',
    replaced(false),
  ],
  ['an incremental run leaves a half-done refresh alone', keyed, 'since', { ...loaded, refresh: half }, 'incremental', merged],
  ['a table that can only be read whole is replaced each time', keyed, 'whole', loaded, 'incremental', replaced(false)],
  ['a table without a key is replaced each time', keyless, 'since', loaded, 'incremental', replaced(false)],
  ['what this run has finished is not read again', keyed, 'since', { ...loaded, finishedRun: 'this' }, 'full', { kind: 'done' }],
  ['what another run has finished is', keyed, 'since', { ...loaded, finishedRun: 'another' }, 'incremental', merged],
] as const)('%s', (...[, main, reads, state, wish, plan]) => {
  expect(planStream({ stream: { reads, table: main }, state, wish, runId: 'this' })).toEqual(plan)
})

const now = Date.parse('2026-02-01T12:00:00Z')
test.each([
  ['never compared', null, 5_000_000, true],
  ['small', '2026-02-01T11:59:00Z', 1_000_000, true],
  ['of unknown size', '2026-02-01T11:59:00Z', null, true],
  ['large, compared an hour ago', '2026-02-01T11:00:00Z', 1_000_001, false],
  ['large, compared a day ago', '2026-01-31T12:00:00Z', 1_000_001, true],
] as const)('keys of a table that is %s (%s, %s rows) are compared: %s', (_, sweptAt, rows, due) => {
  expect(isSweepDue({ sweptAt, rows }, now)).toBe(due)
})

test('a stream that is read slowly shows its first rows as they come; a full refresh of it is still a replacement', () => {
  const stream = { reads: 'since', slow: true, table: { name: 'sale', columns: [], key: ['id'] } } as const
  const state = { checkpoint: null, refresh: null, finishedRun: null }
  expect(planStream({ stream, state, wish: 'incremental', runId: 'run' })).toEqual({ kind: 'read', mode: { kind: 'merge' }, since: null })
  expect(planStream({ stream, state, wish: 'full', runId: 'run' })).toMatchObject({ mode: { kind: 'replace', resume: false } })
  const halfLoaded = { ...state, refresh: { checkpoint: { page: 3 }, runId: 'run' } }
  expect(planStream({ stream, state: halfLoaded, wish: 'incremental', runId: 'run' })).toMatchObject({
    mode: { kind: 'replace', resume: true },
    since: { page: 3 },
  })
})
