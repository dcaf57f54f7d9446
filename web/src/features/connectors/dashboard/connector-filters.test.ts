import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import { sortConnectors, countStates, effectiveLayout, filterState } from './connector-filters.ts'
import { summariseRuns } from './recent-runs.tsx'

const now = Date.parse('2026-11-20T12:00:00Z')
const ended = '2026-11-20T11:00:00.000Z'
const fine = connector({
  Name: 'Beta',
  Log: log({ ManuallyTriggeredAtUtc: '2026-11-20T10:59:00Z', CompletedAtUtc: ended }),
})
const failed = connector({ Name: 'Zeta', Log: log({ CompletedAtUtc: ended, HasError: true }) })
const refused = connector({ Name: 'Eta', Log: log({ CompletedAtUtc: ended, Forbidden: true }) })
const going = connector({ Name: 'Alpha', Log: log({ AutomaticallyTriggeredAtUtc: '2026-11-20T11:50:00Z' }) })
const stalled = connector({ Name: 'Theta', Log: log({ AutomaticallyTriggeredAtUtc: '2026-11-20T11:00:00Z' }) })
const off = connector({ Name: 'Aleph', Status: 'DISCONNECTED' })
const fresh = connector({ Name: 'Gamma' })
const asking = connector({ Name: 'Delta', Log: fine.Log, PendingChanges: 2 })
const waiting = connector({ Name: 'Iota', Log: fine.Log, TargetDownSinceUtc: ended })
const all = [failed, fine, refused, going, stalled, off, fresh, asking, waiting]

test('each connector is in one filter state, and one that needs attention is in exactly that state', () => {
  expect(all.map((each) => filterState(each, now))).toEqual([
    'needsYou',
    'completed',
    'needsYou',
    'running',
    'needsYou',
    'off',
    'never',
    'needsYou',
    'needsYou',
  ])
  expect([...countStates(all, now)]).toEqual([
    ['needsYou', 5],
    ['running', 1],
    ['completed', 1],
    ['never', 1],
    ['off', 1],
  ])
})

test('connectors are sorted by name unless attention or the latest run is chosen as order', () => {
  const names = (order: Parameters<typeof sortConnectors>[1]) => sortConnectors(all, order, now).map(({ Name }) => Name)
  expect(names('name')).toEqual(['Aleph', 'Alpha', 'Beta', 'Delta', 'Eta', 'Gamma', 'Iota', 'Theta', 'Zeta'])
  expect(names('attention')).toEqual(['Eta', 'Zeta', 'Iota', 'Delta', 'Theta', 'Alpha', 'Beta', 'Gamma', 'Aleph'])
  expect(names('recent').slice(0, 2)).toEqual(['Alpha', 'Eta'])
})

test('fifty connectors are a table, fewer are cards, unless the user chose a layout', () => {
  expect([
    effectiveLayout(null, 49),
    effectiveLayout(null, 50),
    effectiveLayout('cards', 80),
    effectiveLayout('table', 2),
    effectiveLayout('other', 2),
  ]).toEqual(['cards', 'table', 'cards', 'table', 'cards'])
})

test('the strip of runs has a text alternative', () => {
  const runs = (['FAILED', 'COMPLETED', 'COMPLETED', 'RUNNING'] as const).map((Status, index) => ({
    Id: String(index),
    Status,
    QueuedAtUtc: ended,
  }))
  expect(summariseRuns(runs)).toBe('the last 4: 2 completed, 1 failed, 1 in progress')
  expect(summariseRuns([])).toBe('none yet')
})
