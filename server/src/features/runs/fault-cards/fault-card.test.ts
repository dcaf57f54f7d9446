import { expect, test } from 'vitest'
import { faultCard, type FaultCardInput } from './fault-card.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const well: FaultCardInput = {
  run: {
    status: 'COMPLETED',
    queuedAtUtc: '2026-11-20T11:58:00Z',
    retryAtUtc: null,
    faultKind: null,
    faultCode: null,
    notice: null,
    rowsWritten: 0,
    rowsDeleted: 0,
    rowsRejected: 0,
  },
  streams: [],
  remedy: null,
  source: 'Cin7 Core',
  lastGoodAt: '2026-11-20T05:00:00Z',
  pending: 0,
  stopsOnChanges: false,
  resumesByItself: false,
  now,
}

type InputOverrides = Partial<Omit<FaultCardInput, 'run'>> & { readonly run?: Partial<FaultCardInput['run']> }

function cardOf({ run, ...rest }: InputOverrides) {
  return faultCard({ ...well, ...rest, run: { ...well.run, ...run } })
}

const failed = (
  faultKind: FaultCardInput['run']['faultKind'],
  notice: string | null,
  more: Partial<FaultCardInput['run']> = {},
) => ({
  status: 'FAILED' as const,
  faultKind,
  faultCode: 'some.code',
  notice,
  ...more,
})
const stream = (name: string, phase: FaultCardInput['streams'][number]['phase'], notice: string | null = null) => ({
  name,
  phase,
  notice,
})

test.each([
  ['a run that completed', {}],
  ['an active run', { run: { status: 'RUNNING' } }],
  ['a cancelled run', { run: { status: 'CANCELLED', notice: 'Cancelled by Amara Okafor.' } }],
] as [string, InputOverrides][])('%s needs no action and has no card', (_, change) => {
  expect(cardOf(change)).toBeNull()
})

test('settings: an administrator edits them; the data is as of the last completed run, with its time in UTC', () => {
  expect(cardOf({ run: failed('settings', 'There is no database shop.') })).toEqual({
    title: 'The settings need a change',
    what: 'There is no database shop.',
    data: 'right',
    dataNotice: 'Right as of 2026-11-20T05:00:00Z, when the last run completed. Nothing has changed since.',
    who: 'An administrator of your organisation.',
    action: { kind: 'edit', label: 'Edit the settings', copy: null, atUtc: null },
  })
})

test('a missing permission: the card offers the GRANT statement to copy for the administrator of the database', () => {
  const remedy = 'GRANT SELECT ON invoice TO reader'
  expect(cardOf({ run: failed('settings', 'The user may not read invoice.'), remedy })).toMatchObject({
    who: 'The administrator of the database.',
    action: { kind: 'copy', copy: remedy },
  })
})

test('refused credentials: an administrator who knows them reconnects', () => {
  expect(cardOf({ run: failed('signIn', 'The key was refused.') })).toMatchObject({
    title: 'Cin7 Core refused the credentials',
    action: { kind: 'reconnect', label: 'Reconnect' },
  })
})

test('a busy source: the run waits until a time, in UTC, and continues by itself', () => {
  const retryAtUtc = '2026-11-20T13:32:00Z'
  expect(
    cardOf({ run: { status: 'WAITING', faultKind: 'busy', notice: 'The calls of a day are used up.', retryAtUtc } }),
  ).toMatchObject({
    title: 'Waiting for Cin7 Core until 2026-11-20T13:32:00Z',
    what: 'The calls of a day are used up.',
    who: 'No one. The run continues by itself.',
    action: { kind: 'wait', label: 'Continues at 2026-11-20T13:32:00Z', atUtc: retryAtUtc },
  })
  expect(cardOf({ run: failed('busy', null) })).toMatchObject({ action: { kind: 'retry' } })
})

test('a lost connection: retried automatically first, then by a user', () => {
  const retryAtUtc = '2026-11-20T12:00:40Z'
  expect(cardOf({ run: { status: 'WAITING', faultKind: 'passing', retryAtUtc } })).toMatchObject({
    title: 'Trying again at 2026-11-20T12:00:40Z',
    action: { kind: 'wait', atUtc: retryAtUtc },
  })
  expect(cardOf({ run: failed('passing', 'It does not answer.') })).toMatchObject({
    title: 'The connection did not hold',
    what: 'It does not answer.',
    action: { kind: 'retry', label: 'Refresh again' },
  })
})

test('an unreachable target: the schedule pauses and resumes by itself; without a schedule a user refreshes', () => {
  const run = failed('passing', 'The target cannot be reached.', { faultCode: 'target.unreachable' })
  expect(cardOf({ run, resumesByItself: true })).toMatchObject({
    title: 'The target does not answer',
    action: { kind: 'wait', label: 'Continues once the target answers', atUtc: null },
  })
  expect(cardOf({ run })).toMatchObject({ title: 'The target did not answer', action: { kind: 'retry' } })
})

test('data: the rejected rows are listed; a table that shrank too much has a card of its own', () => {
  expect(cardOf({ run: failed('data', 'Too many.', { rowsRejected: 1_200 }) })).toMatchObject({
    title: '1,200 rows could not be stored',
    action: { kind: 'reviewRows' },
  })
  const guarded = failed('data', '4000 of the 5000 rows are gone.', {
    faultCode: 'engine.shrink_guard',
    rowsRejected: 1,
  })
  expect(cardOf({ run: guarded })).toMatchObject({
    title: 'Unusually many rows have changed',
    action: { kind: 'retry' },
  })
})

test('a bug: the user reports it to the provider', () => {
  expect(cardOf({ run: failed('bug', null) })).toMatchObject({
    title: 'Something went wrong inside Tributary',
    what: 'This is a fault of Tributary; you did nothing wrong. No data is lost.',
    action: { kind: 'tellProvider' },
  })
})

test('a completed run with rejected rows says that everything else is right', () => {
  expect(cardOf({ run: { rowsRejected: 1 } })).toMatchObject({
    title: 'One row could not be stored',
    data: 'partly',
    dataNotice: 'One row is missing. Everything else is as in the source.',
    action: { kind: 'reviewRows' },
  })
})

test('undecided changes: on a completed run until they are decided, on a stopped run as the cause', () => {
  const run = { notice: '2 changes wait.' }
  expect(cardOf({ run, pending: 2 })).toMatchObject({
    title: '2 changes of the source’s tables to decide on',
    what: '2 changes wait.',
    data: 'partly',
    action: { kind: 'reviewChanges' },
  })
  expect(cardOf({ run, pending: 0 })).toBeNull()
  const stopped = { run: failed('settings', 'The table invoice has a new column.'), pending: 1 }
  expect(cardOf({ ...stopped, stopsOnChanges: true })).toMatchObject({ action: { kind: 'reviewChanges' } })
  expect(cardOf(stopped)).toMatchObject({ action: { kind: 'edit' } })
})

test('[DASH-3] a run that takes longer than half an hour says how it can be replaced, and a younger one says nothing', () => {
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  expect(cardOf({ run: { status: 'RUNNING', queuedAtUtc: at(30) } })).toMatchObject({
    title: 'This run takes unusually long',
    action: { kind: 'retry', label: 'Start a new run' },
  })
  expect(cardOf({ run: { status: 'QUEUED', queuedAtUtc: at(29) } })).toBeNull()
})

test.each([
  ['settings', 'postgres.object_unreadable', 'Cin7 Core cannot read one of its own tables or views', 'retry'],
  ['settings', 'mysql.too_many_columns', 'The target cannot hold a table as it is', 'edit'],
  ['settings', 'mysql.table_refused', 'The target cannot hold a table as it is', 'edit'],
  ['settings', 'engine.streams_failed', 'Some tables could not be moved', 'edit'],
  ['passing', 'engine.streams_failed', 'Some tables could not be moved', 'retry'],
  ['passing', 'postgres.connection_lost', 'The connection did not hold', 'retry'],
  ['passing', 'postgres.locked', 'A table could not be moved for now', 'retry'],
  ['passing', 'mysql.changed_meanwhile', 'A table could not be moved for now', 'retry'],
  ['data', 'engine.streams_failed', 'Some tables could not be moved', 'retry'],
  ['data', 'postgres.data', 'Some data could not be moved', 'retry'],
  ['signIn', 'target.login_refused', 'The target refused the credentials', 'edit'],
  ['signIn', 'postgres.login_refused', 'Cin7 Core refused the credentials', 'reconnect'],
] as const)('[DASH-6] the title of a %s fault %s says what it is about', (kind, faultCode, title, action) => {
  expect(cardOf({ run: failed(kind, 'Why.', { faultCode }) })).toMatchObject({ title, action: { kind: action } })
})

test('a statement that fixes an object of the source can be copied, under a title that does not mention permissions', () => {
  const remedy = 'REFRESH MATERIALIZED VIEW "public"."totals";'
  expect(
    cardOf({ run: failed('settings', 'It holds no data.', { faultCode: 'postgres.object_unreadable' }), remedy }),
  ).toMatchObject({
    title: 'Cin7 Core cannot read one of its own tables or views',
    who: 'The administrator of the database.',
    action: { kind: 'copy', copy: remedy },
  })
})

test.each([
  ['settings', 'An administrator of your organisation.', { kind: 'edit', label: 'See the companies' }],
  ['passing', 'The operator of the source, if it happens again.', { kind: 'retry', label: 'Refresh again' }],
] as const)(
  '[SRC-12] some of several companies failed with a %s fault: the others are up to date, and the rows of the failed are not called so',
  (kind, who, action) => {
    const run = failed(kind, '1 of 3 companies could not be read. ‘North’: Gone.', {
      faultCode: 'companies.some_failed',
    })
    expect(cardOf({ run, streams: [stream('a', 'done')] })).toMatchObject({
      title: 'Some companies could not be read',
      what: '1 of 3 companies could not be read. ‘North’: Gone.',
      data: 'partly',
      dataNotice: 'The rows of the companies named above stay as they were. Those of the others are up to date.',
      who,
      action,
    })
  },
)

test('several streams that failed are named, the first five of them', () => {
  const streams = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => stream(name, 'failed', 'No right.'))
  const run = failed('settings', '7 streams are not done. a: No right. b: …', { faultCode: 'engine.streams_failed' })
  expect(cardOf({ run, streams })?.what).toBe(
    'Some tables could not be updated: a, b, c, d, e and 2 more. The reason is shown below with each table.',
  )
})

test.each([
  ['nothing was moved, ever', { lastGoodAt: null }, 'missing', 'Nothing has been loaded yet.'],
  [
    'some tables are done',
    { streams: [stream('a', 'done'), stream('b', 'failed')] },
    'partly',
    '1 of 2 tables are up to date. The others are at least as of 2026-11-20T05:00:00Z.',
  ],
  [
    'some tables are done for the first time',
    { lastGoodAt: null, streams: [stream('a', 'done'), stream('b', 'waiting')] },
    'partly',
    '1 of 2 tables are up to date. The others are not complete yet.',
  ],
  [
    'all that was reached is done',
    { streams: [stream('a', 'done')] },
    'right',
    'Every table that the run reached is up to date.',
  ],
] as [string, InputOverrides, string, string][])(
  'whether the data is still right, where %s',
  (_, change, data, dataNotice) => {
    expect(cardOf({ run: failed('passing', null), ...change })).toMatchObject({ data, dataNotice })
  },
)

test('rows that came before the run failed make some tables newer than others', () => {
  const run = failed('passing', null, { rowsWritten: 10 })
  expect(cardOf({ run })).toMatchObject({
    data: 'partly',
    dataNotice: 'Every table is at least as of 2026-11-20T05:00:00Z; some rows are newer.',
  })
  expect(cardOf({ run, lastGoodAt: null })).toMatchObject({
    dataNotice: 'The first rows have arrived; no table is complete yet.',
  })
})
