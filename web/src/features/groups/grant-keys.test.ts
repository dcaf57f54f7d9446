import { expect, test } from 'vitest'
import {
  countGrantedLinks,
  toGrants,
  hasEverything,
  grantKey,
  subjectPane,
  type ScopeDimension,
  withEverything,
  withSubjectLinks,
} from './grant-keys.ts'

const item = (name: string) => ({ id: name.toLowerCase(), name })
const dimension: ScopeDimension = {
  outer: ['North', 'South', 'Office'].map(item),
  inner: ['Fish', 'Fuel', 'Crew'].map(item),
  linked: new Map([
    ['north', new Set(['fish', 'fuel'])],
    ['south', new Set(['fish'])],
    ['office', new Set(['fish', 'fuel', 'crew'])],
  ]),
}
const ticked = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string) => [
  ...subjectPane(dimension, keys, side, id).links.ids,
]
const change = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string, ids: readonly string[]) =>
  withSubjectLinks(keys, side, id, {
    items: subjectPane(dimension, keys, side, id).items,
    next: { ids: new Set(ids), all: false },
  })
const whole = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string) => {
  const { items, links } = subjectPane(dimension, keys, side, id)
  return withSubjectLinks(keys, side, id, { items, next: { ...links, all: true } })
}

test('[GRP-4] [GRP-5] a link selected in one view is selected in the flipped one, and vice versa', () => {
  const first = change(new Set(), 'outer', 'north', ['fish', 'fuel'])
  expect(ticked(first, 'inner', 'fish')).toEqual(['north'])
  const second = change(first, 'inner', 'fish', ['south'])
  expect(ticked(second, 'outer', 'north')).toEqual(['fuel'])
  expect(ticked(second, 'outer', 'south')).toEqual(['fish'])
})

test('[GRP-4] an area offers its linked subareas, and those granted before the link was removed', () => {
  expect(subjectPane(dimension, new Set(), 'outer', 'south').items).toEqual([item('Fish')])
  expect(subjectPane(dimension, new Set([grantKey('south', 'crew')]), 'outer', 'south').items).toEqual([
    item('Fish'),
    { ...item('Crew'), detail: 'Not linked any more' },
  ])
})

test("[GRP-5] 'All current and future' of a subarea is shown at each of its areas, and cannot be deselected there", () => {
  const keys = whole(new Set(), 'inner', 'fish')
  expect(subjectPane(dimension, keys, 'inner', 'fish').links.all).toBe(true)
  const pane = subjectPane(dimension, keys, 'outer', 'north')
  expect(pane.links.ids).toEqual(new Set(['fish']))
  expect(pane.items[0]).toMatchObject({ id: 'fish', isFixed: true })
  const both = change(keys, 'outer', 'north', ['fish', 'fuel'])
  expect([...both].toSorted()).toEqual([grantKey(null, 'fish'), grantKey('north', 'fuel')].toSorted())
})

test('[GRP-9] a save contains each grant once: one that a wider grant covers is left out', () => {
  const single = change(new Set(), 'outer', 'north', ['fish', 'fuel'])
  const wide = whole(single, 'outer', 'north')
  expect(toGrants(wide, new Set()).areas).toEqual([
    { areaId: 'north', subareaId: null, allAreas: false, allSubareas: true },
  ])
  expect(ticked(change(wide, 'outer', 'north', ['fish', 'fuel']), 'outer', 'north')).toEqual(['fish', 'fuel'])

  const everything = withEverything(wide, true)
  expect(hasEverything(everything)).toBe(true)
  expect(toGrants(everything, new Set([grantKey('v', 'm')]))).toEqual({
    areas: [{ areaId: null, subareaId: null, allAreas: true, allSubareas: true }],
    versions: [{ versionId: 'v', milestoneId: 'm', allVersions: false, allMilestones: false }],
  })
  expect(withEverything(everything, false)).toEqual(wide)
})

test('keys of records that are not shown stay in the draft', () => {
  const archived = grantKey('north', 'archived-one')
  expect(change(new Set([archived, grantKey('gone', null)]), 'outer', 'south', ['fish'])).toEqual(
    new Set([archived, grantKey('gone', null), grantKey('south', 'fish')]),
  )
})

test('[UX-EXCEL-4] the number of links of each subject is the number that its pane shows', () => {
  const cases = [
    new Set<string>(),
    new Set([grantKey('north', 'fish'), grantKey('south', 'crew')]),
    new Set([grantKey(null, 'fish'), grantKey('north', 'fish'), grantKey('north', 'fuel')]),
    new Set([grantKey('office', null), grantKey('office', 'crew'), grantKey(null, 'crew')]),
    new Set([grantKey(null, null), grantKey('north', 'fish')]),
  ]
  for (const keys of cases)
    for (const side of ['outer', 'inner'] as const)
      for (const { id } of dimension[side]) {
        const { links } = subjectPane(dimension, keys, side, id)
        const count = countGrantedLinks(dimension, keys, side).get(id) ?? 0
        expect([side, id, count]).toEqual([side, id, links.all ? 'all' : links.ids.size])
      }
})
