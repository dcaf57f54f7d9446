import type { RunDetail, RunStream } from '@tributary/contract/runs'
import { expect, test } from 'vitest'
import { runPhase, formatRunTitle, formatRunScope, displayedStreams, explainStall } from './run-status.ts'
import { summariseTables } from './run-timeline.tsx'

const stream = (Phase: RunStream['Phase']): RunStream => ({
  Name: Phase,
  Table: Phase,
  Phase,
  RowsRead: 0,
  RowsWritten: 0,
  RowsUpdated: 0,
  RowsDeleted: 0,
  RowsRejected: 0,
  RowsEstimate: null,
  Notice: null,
})
const running = (...phases: RunStream['Phase'][]) =>
  runPhase({ Status: 'RUNNING', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: phases.map(stream) })

test('the phase of a run follows from the phases of its streams', () => {
  expect(runPhase({ Status: 'QUEUED', StartedAtUtc: null, Streams: [] })).toBe('Queued')
  expect(running()).toBe('Connecting')
  expect(running('waiting', 'preparing')).toBe('Connecting')
  expect(running('done', 'reading', 'waiting')).toBe('Reading')
  expect(running('done', 'waiting')).toBe('Reading')
  expect(running('done', 'sweeping')).toBe('Finishing')
  expect(runPhase({ Status: 'COMPLETED', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: [stream('done')] })).toBe(
    'Completed',
  )
})

test('a failed run stays in the phase in which it failed', () => {
  expect(
    runPhase({ Status: 'FAILED', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: [stream('done'), stream('failed')] }),
  ).toBe('Reading')
})

test('a waiting run shows no failed table, because it resumes', () => {
  const streams = [stream('done'), stream('failed')]
  expect(displayedStreams({ Status: 'WAITING', Streams: streams }).map(({ Phase }) => Phase)).toEqual([
    'done',
    'waiting',
  ])
  expect(displayedStreams({ Status: 'FAILED', Streams: streams })).toEqual(streams)
})

const detail = (changes: Partial<RunDetail> = {}): RunDetail => ({
  Id: '00000000-0000-4000-8000-000000000401',
  ConnectorId: '00000000-0000-4000-8000-000000000201',
  Status: 'RUNNING',
  Mode: 'full',
  OnlyStreams: null,
  FromUtc: null,
  Trigger: 'person',
  TriggeredBy: 'Amara Okafor',
  QueuedAtUtc: '2026-11-20T08:00:00Z',
  StartedAtUtc: '2026-11-20T08:00:01Z',
  CompletedAtUtc: null,
  RetryAtUtc: null,
  Attempt: 1,
  FaultKind: null,
  FaultCode: null,
  Notice: null,
  RowsRead: 1_200,
  RowsWritten: 0,
  RowsUpdated: 0,
  RowsDeleted: 0,
  RowsRejected: 0,
  TieOut: null,
  Card: null,
  Streams: [stream('done'), { ...stream('reading'), Table: 'sale', RowsRead: 1_200, RowsEstimate: 9_000 }],
  Lines: [{ AtUtc: '2026-11-20T08:58:00Z', Level: 'info', Text: 'sale: page 12' }],
  ...changes,
})
const later = Date.parse('2026-11-20T09:00:00Z')

test('[DASH-3] a stalled run is explained by what it is doing', () => {
  const why = explainStall(detail(), later)
  expect(why).toContain('It is at sale (reading, 1,200 of about 9,000 rows).')
  expect(why).toContain('It last wrote to its log 2 minutes ago.')
  expect(explainStall(detail({ Status: 'QUEUED' }), later)).toContain('every worker is busy')
  expect(explainStall(detail({ Status: 'WAITING' }), later)).toContain('resumes automatically')
  expect(explainStall(detail({ Streams: [stream('done')], Lines: [] }), later)).toContain('It is between two tables.')
})

test('[DASH-3] a run that has ended, or is younger than half an hour, is not stalled', () => {
  expect(explainStall(detail({ Status: 'COMPLETED' }), later)).toBeNull()
  expect(explainStall(detail(), Date.parse('2026-11-20T08:29:59Z'))).toBeNull()
})

test('the title of a run has its scope and its trigger', () => {
  expect(formatRunTitle(detail(), 'Europe/London')).toBe('Full run, started by Amara Okafor')
  expect(formatRunTitle(detail({ Mode: 'incremental', Trigger: 'schedule' }), 'Europe/London')).toBe(
    'Incremental run, started by the schedule',
  )
  expect(formatRunTitle(detail({ OnlyStreams: ['sale'] }), 'Europe/London')).toBe(
    'Full run of sale, started by Amara Okafor',
  )
  expect(
    formatRunTitle(
      detail({ Mode: 'incremental', OnlyStreams: ['a', 'b'], FromUtc: '2026-11-01T00:00:00Z' }),
      'Europe/London',
    ),
  ).toBe('Incremental run of 2 tables from 1 Nov 2026, started by Amara Okafor')
})

test('[UX-PREF-4] a run from a date shows the chosen day in the time zone of the organisation, and names it if it is another', () => {
  const from = (FromUtc: string, timeZone: string) => formatRunScope(null, FromUtc, timeZone)
  expect(from('2026-11-01T04:00:00Z', 'America/New_York')).toBe(' from 1 Nov 2026 (New York time)')
  expect(from('2026-10-31T23:00:00Z', 'Europe/Copenhagen')).toBe(' from 1 Nov 2026 (Copenhagen time)')
  expect(from('2026-11-01T00:00:00Z', 'Europe/London')).toBe(' from 1 Nov 2026')
})

test('the timeline names active and failed tables, not finished ones', () => {
  const named = (Table: string, Phase: RunStream['Phase']) => ({ ...stream(Phase), Table })
  expect(
    summariseTables([named('a', 'done'), named('b', 'reading'), named('c', 'failed'), named('d', 'waiting')]),
  ).toBe('1 of 4 done; reading: b; failed: c')
  expect(summariseTables(['a', 'b', 'c', 'd', 'e'].map((name) => named(name, 'reading')))).toBe(
    '0 of 5 done; reading: a, b, c and 2 more',
  )
})
