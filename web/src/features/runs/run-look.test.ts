import type { RunStream } from '@tributary/contract/runs'
import { expect, test } from 'vitest'
import { phaseOf } from './run-look.ts'

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
  phaseOf({ Status: 'RUNNING', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: phases.map(stream) })

test('the phase of a run follows from those of its streams', () => {
  expect(phaseOf({ Status: 'QUEUED', StartedAtUtc: null, Streams: [] })).toBe('Queued')
  expect(running()).toBe('Connecting')
  expect(running('waiting', 'preparing')).toBe('Connecting')
  expect(running('done', 'reading', 'waiting')).toBe('Reading')
  expect(running('done', 'waiting')).toBe('Reading')
  expect(running('done', 'sweeping')).toBe('Finishing')
  expect(phaseOf({ Status: 'COMPLETED', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: [stream('done')] })).toBe('Completed')
})

test('a run that failed stays in the phase in which it failed', () => {
  expect(phaseOf({ Status: 'FAILED', StartedAtUtc: '2026-11-20T08:00:00Z', Streams: [stream('done'), stream('failed')] })).toBe('Reading')
})
