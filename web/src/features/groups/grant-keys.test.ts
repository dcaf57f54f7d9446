import { expect, test } from 'vitest'
import { grantsOf, hasEverything, keyOf, paneOf, type Plane, withEverything, withPane } from './grant-keys.ts'

const item = (name: string) => ({ id: name.toLowerCase(), name })
const plane: Plane = {
  outer: ['North', 'South', 'Office'].map(item),
  inner: ['Fish', 'Fuel', 'Crew'].map(item),
  linked: new Map([
    ['north', new Set(['fish', 'fuel'])],
    ['south', new Set(['fish'])],
    ['office', new Set(['fish', 'fuel', 'crew'])],
  ]),
}
const ticked = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string) => [
  ...paneOf(plane, keys, side, id).links.ids,
]
const change = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string, ids: readonly string[]) =>
  withPane(keys, side, id, { items: paneOf(plane, keys, side, id).items, next: { ids: new Set(ids), all: false } })
const whole = (keys: ReadonlySet<string>, side: 'outer' | 'inner', id: string) => {
  const { items, links } = paneOf(plane, keys, side, id)
  return withPane(keys, side, id, { items, next: { ...links, all: true } })
}

test('[GRP-4] [GRP-5] what is ticked in one view is ticked in the flipped one, and the other way round', () => {
  const first = change(new Set(), 'outer', 'north', ['fish', 'fuel'])
  expect(ticked(first, 'inner', 'fish')).toEqual(['north'])
  const second = change(first, 'inner', 'fish', ['south'])
  expect(ticked(second, 'outer', 'north')).toEqual(['fuel'])
  expect(ticked(second, 'outer', 'south')).toEqual(['fish'])
})

test('[GRP-4] an area offers the subareas that it is linked to, and what was granted before the link went', () => {
  expect(paneOf(plane, new Set(), 'outer', 'south').items).toEqual([item('Fish')])
  expect(paneOf(plane, new Set([keyOf('south', 'crew')]), 'outer', 'south').items).toEqual([
    item('Fish'),
    { ...item('Crew'), detail: 'Not linked any more' },
  ])
})

test("[GRP-5] 'All current and future' of a subarea is shown at each of its areas, and cannot be unticked there", () => {
  const keys = whole(new Set(), 'inner', 'fish')
  expect(paneOf(plane, keys, 'inner', 'fish').links.all).toBe(true)
  const pane = paneOf(plane, keys, 'outer', 'north')
  expect(pane.links.ids).toEqual(new Set(['fish']))
  expect(pane.items[0]).toMatchObject({ id: 'fish', isFixed: true })
  const both = change(keys, 'outer', 'north', ['fish', 'fuel'])
  expect([...both].toSorted()).toEqual([keyOf(null, 'fish'), keyOf('north', 'fuel')].toSorted())
})

test('[GRP-9] a save holds each grant once: what a wider one covers is left out', () => {
  const single = change(new Set(), 'outer', 'north', ['fish', 'fuel'])
  const wide = whole(single, 'outer', 'north')
  expect(grantsOf(wide, new Set()).areas).toEqual([
    { areaId: 'north', subareaId: null, allAreas: false, allSubareas: true },
  ])
  expect(ticked(change(wide, 'outer', 'north', ['fish', 'fuel']), 'outer', 'north')).toEqual(['fish', 'fuel'])

  const everything = withEverything(wide, true)
  expect(hasEverything(everything)).toBe(true)
  expect(grantsOf(everything, new Set([keyOf('v', 'm')]))).toEqual({
    areas: [{ areaId: null, subareaId: null, allAreas: true, allSubareas: true }],
    versions: [{ versionId: 'v', milestoneId: 'm', allVersions: false, allMilestones: false }],
  })
  expect(withEverything(everything, false)).toEqual(wide)
})

test('what stands in the draft of records that are not shown stays', () => {
  const archived = keyOf('north', 'archived-one')
  expect(change(new Set([archived, keyOf('gone', null)]), 'outer', 'south', ['fish'])).toEqual(
    new Set([archived, keyOf('gone', null), keyOf('south', 'fish')]),
  )
})
