import { expect, test } from 'vitest'
import { computeReadableTables, type ReaderFacts } from './readable-tables.ts'

const facts: ReaderFacts = {
  roleLevel: 3,
  isActive: true,
  connectorIds: ['c'],
  markedViews: [],
  versionIds: ['v'],
  helperTableIds: ['h'],
  hasGroupsOrEntities: true,
}
const nothing = { connectorIds: [], versionIds: [], helperTableIds: [], hasGroupsOrEntities: false }
const of = (change: Partial<ReaderFacts>) => computeReadableTables({ ...facts, ...change })

test.each([0, 1, 2])('[SEE-2] role level %d reads everything, whatever it is assigned to', (roleLevel) => {
  expect(of({ ...nothing, roleLevel })).toEqual({
    mayRead: true,
    keepsLogins: true,
    connectors: 'all',
    versions: 'all',
    helperTables: 'all',
    markedViews: [],
  })
})

test('[SEE-2] a user reads the tables of their connectors and what their groups, entities and helper tables allow', () => {
  expect(of({})).toMatchObject({ mayRead: true, connectors: ['c'], versions: ['v'], helperTables: ['h'] })
  for (const one of [
    { connectorIds: ['c'] },
    { versionIds: ['v'] },
    { helperTableIds: ['h'] },
    { hasGroupsOrEntities: true },
  ])
    expect(of({ ...nothing, ...one }).mayRead).toBe(true)
})

test('[SEE-2] a guest reads the tables of their connectors only, and loses their logins without one', () => {
  expect(of({ roleLevel: 4 })).toMatchObject({ mayRead: true, connectors: ['c'], versions: [], helperTables: [] })
  expect(of({ roleLevel: 4, connectorIds: [] })).toMatchObject({ mayRead: false, keepsLogins: false })
})

test('[TRUST-14] the person of a room with single marks reads their views and no connector', () => {
  const markedViews = [{ connectorId: 'c', name: 'reported_june_customer' }]
  expect(of({ ...nothing, roleLevel: 4, markedViews })).toEqual({
    mayRead: true,
    keepsLogins: true,
    connectors: [],
    versions: [],
    helperTables: [],
    markedViews,
  })
})

test('[SEE-2] a user with nothing to read is refused but keeps their logins; someone who left or is locked loses them', () => {
  expect(of(nothing)).toMatchObject({ mayRead: false, keepsLogins: true })
  for (const change of [{ roleLevel: null }, { isActive: false }, { isActive: false, roleLevel: 2 }])
    expect(of(change)).toMatchObject({
      mayRead: false,
      keepsLogins: false,
      connectors: [],
      versions: [],
      helperTables: [],
    })
})
