import { expect, test } from 'vitest'
import { changeBetween, countOf, type Links, matching, rebase, sizeOf, sorted, withIds } from './links.ts'

const items = ['Bar', 'area 10', 'Area 2', 'Café'].map((name, index) => ({
  id: String(index),
  name,
  detail: `detail ${name}`,
}))
const links = (...ids: string[]): Links => ({ ids: new Set(ids), all: false })
const everything: Links = { ids: new Set(), all: true }

test('names are sorted as people read them, both ways', () => {
  expect(sorted(items, 'asc').map(({ name }) => name)).toEqual(['Area 2', 'area 10', 'Bar', 'Café'])
  expect(sorted(items, 'desc').map(({ name }) => name)).toEqual(['Café', 'Bar', 'area 10', 'Area 2'])
})

test('a search looks at name and detail, whatever their case', () => {
  expect(matching(items, ' AREA ').map(({ name }) => name)).toEqual(['area 10', 'Area 2'])
  expect(matching(items, 'detail café').map(({ name }) => name)).toEqual(['Café'])
  expect(matching(items, ' ')).toBe(items)
})

test('a change tells what is added, what is removed and whether those to come are taken in', () => {
  const some = changeBetween(links('0', '1', 'gone'), links('1', '2'), items)
  expect([some.added.map(({ name }) => name), some.removed.map(({ name }) => name), some.flag]).toEqual([
    ['Area 2'],
    ['Bar'],
    null,
  ])
  const all = changeBetween(links('0'), everything, items)
  expect([all.added.length, all.removed.length, all.flag, sizeOf(all)]).toEqual([3, 0, 'on', 4])
  const back = changeBetween(everything, links('0', '1', '2', '3'), items)
  expect([back.added.length, back.removed.length, back.flag]).toEqual([0, 0, 'off'])
})

test('putting in and taking out leaves the rest alone', () => {
  expect([...withIds(links('0'), ['1', '2'], true).ids]).toEqual(['0', '1', '2'])
  expect([...withIds(links('0', '1'), ['0', '3'], false).ids]).toEqual(['1'])
  expect([countOf(links('0', 'gone'), items), countOf(everything, items)]).toEqual([1, 4])
})

test('what somebody else saved in between stays, and so does what was changed here', () => {
  const rebased = rebase(links('1', '2', '9'), links('1', '2', '3'), links('1', '3', '4'))
  expect([...rebased.ids].toSorted()).toEqual(['1', '4', '9'])
  expect(rebase(links('1'), links(), everything).all).toBe(true)
  expect(rebase(everything, links(), links('1')).all).toBe(true)
  expect(rebase(links('1'), everything, everything).all).toBe(false)
})
