import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import { arrange, countStates, layoutOf, stateOf } from './connector-filters.ts'
import { stripWords } from './recent-runs.tsx'

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

test('each connector is in one state of the filter, and what needs somebody is in one of them all', () => {
  expect(all.map((each) => stateOf(each, now))).toEqual([
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

test('connectors are sorted by name unless somebody wants what needs attention, or the latest run, first', () => {
  const names = (order: Parameters<typeof arrange>[1]) => arrange(all, order, now).map(({ Name }) => Name)
  expect(names('name')).toEqual(['Aleph', 'Alpha', 'Beta', 'Delta', 'Eta', 'Gamma', 'Iota', 'Theta', 'Zeta'])
  expect(names('attention')).toEqual(['Eta', 'Zeta', 'Iota', 'Delta', 'Theta', 'Alpha', 'Beta', 'Gamma', 'Aleph'])
  expect(names('recent').slice(0, 2)).toEqual(['Alpha', 'Eta'])
})

test('fifty connectors are a table, fewer are cards, unless somebody chose otherwise', () => {
  expect([
    layoutOf(null, 49),
    layoutOf(null, 50),
    layoutOf('cards', 80),
    layoutOf('table', 2),
    layoutOf('other', 2),
  ]).toEqual(['cards', 'table', 'cards', 'table', 'cards'])
})

test('the strip of runs says in words what it shows', () => {
  const runs = (['FAILED', 'COMPLETED', 'COMPLETED', 'RUNNING'] as const).map((Status, index) => ({
    Id: String(index),
    Status,
    QueuedAtUtc: ended,
  }))
  expect(stripWords(runs)).toBe('the last 4: 2 completed, 1 failed, 1 going on')
  expect(stripWords([])).toBe('none yet')
})
