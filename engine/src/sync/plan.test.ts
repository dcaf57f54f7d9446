import { expect, test } from 'vitest'
import type { Checkpoint } from '../ports/model.ts'
import { column, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { isKeyComparisonDue, planStream, type StreamPlan } from './plan.ts'

const keyed = table('invoice', [column('id', { kind: 'integer', bytes: 8 }, false)])
const keyless = table('log', [column('line', { kind: 'text' })], [])
const now = Date.parse('2026-02-01T12:00:00Z')
const justNow = '2026-02-01T11:30:00Z'
const fresh = { checkpoint: null, replacement: null, finishedRun: null, freshAt: null }
const loaded = { ...fresh, checkpoint: { page: 9 }, freshAt: justNow }
const half = { checkpoint: { page: 3 }, runId: 'this' }
const replaced = (resume: boolean, since: Checkpoint | null = null): StreamPlan => ({
  kind: 'read',
  mode: { kind: 'replace', resume },
  since,
})
const merged: StreamPlan = { kind: 'read', mode: { kind: 'merge' }, since: { page: 9 } }

test.each([
  ['a first run loads everything into a shadow table', keyed, 'since', fresh, 'incremental', replaced(false)],
  [
    'an interrupted first load continues, whichever run began it',
    keyed,
    'since',
    { ...fresh, replacement: { ...half, runId: 'another' } },
    'incremental',
    replaced(true, { page: 3 }),
  ],
  ['a later run reads on from the checkpoint', keyed, 'since', loaded, 'incremental', merged],
  ['a full refresh starts at the beginning', keyed, 'since', loaded, 'full', replaced(false)],
  [
    'a full refresh continues where this run stopped',
    keyed,
    'since',
    { ...loaded, replacement: half },
    'full',
    replaced(true, { page: 3 }),
  ],
  [
    'a full refresh does not continue another run',
    keyed,
    'since',
    { ...loaded, replacement: { ...half, runId: 'another' } },
    'full',
    replaced(false),
  ],
  [
    'a full refresh does not continue a first load, which may have been from another source',
    keyed,
    'since',
    { ...fresh, replacement: { ...half, runId: 'another' } },
    'full',
    replaced(false),
  ],
  [
    'an incremental run leaves a half-done refresh alone',
    keyed,
    'since',
    { ...loaded, replacement: half },
    'incremental',
    merged,
  ],
  ['a table that can only be read whole is replaced each time', keyed, 'whole', loaded, 'incremental', replaced(false)],
  ['a table without a key is replaced each time', keyless, 'since', loaded, 'incremental', replaced(false)],
  [
    'what this run has finished is not read again',
    keyed,
    'since',
    { ...loaded, finishedRun: 'this' },
    'full',
    { kind: 'done' },
  ],
  [
    'what this run has finished more than an hour ago is read on, though a full refresh was asked for',
    keyed,
    'since',
    { ...loaded, finishedRun: 'this', freshAt: '2026-02-01T10:59:59Z' },
    'full',
    merged,
  ],
  [
    'what this run has finished more than an hour ago, and can only be read whole, is read again',
    keyed,
    'whole',
    { ...fresh, finishedRun: 'this', freshAt: '2026-02-01T10:59:59Z' },
    'incremental',
    replaced(false),
  ],
  [
    'rows that lack the values of a column are read from the beginning and completed where they stand',
    keyed,
    'since',
    { ...loaded, checkpoint: null, needsBackfill: true },
    'incremental',
    { ...merged, since: null },
  ],
  ['what another run has finished is', keyed, 'since', { ...loaded, finishedRun: 'another' }, 'incremental', merged],
] as const)('%s', (...[, main, reads, state, wish, plan]) => {
  expect(planStream({ stream: { reads, table: main }, state, syncMode: wish, runId: 'this', now })).toEqual(plan)
})

test('rows that need a backfill are replaced if only incremental reads report deletions', () => {
  const stream = { reads: 'since', table: keyed, keyComparison: 'never' } as const
  const state = { ...loaded, checkpoint: null, needsBackfill: true }
  expect(planStream({ stream, state, syncMode: 'incremental', runId: 'this', now })).toEqual(replaced(false))
})

const earlier = Date.parse('2026-01-20T00:00:00Z')
test.each([
  [
    'is merged, and the checkpoint stays',
    loaded,
    { moment: earlier, checkpoint: { page: 2 } },
    { ...merged, since: { page: 2 }, keptCheckpoint: { page: 9 } },
  ],
  [
    'is read whole if the source has no checkpoint for that time',
    loaded,
    { moment: earlier, checkpoint: null },
    replaced(false),
  ],
  [
    'is read whole if the freshness of the table is unknown',
    { ...loaded, freshAt: null },
    { moment: earlier, checkpoint: { page: 2 } },
    replaced(false),
  ],
  [
    'is what comes after the checkpoint, where the table is older',
    loaded,
    { moment: now, checkpoint: { page: 12 } },
    merged,
  ],
  ['is everything on a first load', fresh, { moment: earlier, checkpoint: { page: 2 } }, replaced(false)],
] as const)('what has changed since a moment %s', (...[, state, again, plan]) => {
  expect(
    planStream({
      stream: { reads: 'since', table: keyed },
      state,
      syncMode: 'incremental',
      reread: again,
      runId: 'this',
      now,
    }),
  ).toEqual(plan)
})

test.each([
  ['never compared', null, 5_000_000, true],
  ['small', '2026-02-01T11:59:00Z', 1_000_000, true],
  ['of unknown size', '2026-02-01T11:59:00Z', null, true],
  ['large, compared an hour ago', '2026-02-01T11:00:00Z', 1_000_001, false],
  ['large, compared a day ago', '2026-01-31T12:00:00Z', 1_000_001, true],
] as const)('keys of a table that is %s (%s, %s rows) are compared: %s', (_, sweptAt, rows, due) => {
  expect(isKeyComparisonDue({ sweptAt, rows }, now)).toBe(due)
})

test('a slow stream is merged, so that its first rows are visible early; a full refresh of it still replaces', () => {
  const stream = { reads: 'since', isSlow: true, table: { name: 'sale', columns: [], key: ['id'] } } as const
  const state = { checkpoint: null, replacement: null, finishedRun: null, freshAt: null }
  expect(planStream({ stream, state, syncMode: 'incremental', runId: 'run', now })).toEqual({
    kind: 'read',
    mode: { kind: 'merge' },
    since: null,
  })
  expect(planStream({ stream, state, syncMode: 'full', runId: 'run', now })).toMatchObject({
    mode: { kind: 'replace', resume: false },
  })
  const halfLoaded = { ...state, replacement: { checkpoint: { page: 3 }, runId: 'run' } }
  expect(planStream({ stream, state: halfLoaded, syncMode: 'incremental', runId: 'run', now })).toMatchObject({
    mode: { kind: 'replace', resume: true },
    since: { page: 3 },
  })
})
