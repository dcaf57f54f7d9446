import { expect, test } from 'vitest'
import {
  diffLinks,
  countLinked,
  type LinkSelection,
  searchItems,
  rebase,
  countChanges,
  sortByName,
  setLinked,
} from './links.ts'

const items = ['Bar', 'area 10', 'Area 2', 'Café'].map((name, index) => ({
  id: String(index),
  name,
  detail: `detail ${name}`,
}))
const links = (...ids: string[]): LinkSelection => ({ ids: new Set(ids), all: false })
const everything: LinkSelection = { ids: new Set(), all: true }

test('names are sorted case-insensitively and numerically, in both directions', () => {
  expect(sortByName(items, 'asc').map(({ name }) => name)).toEqual(['Area 2', 'area 10', 'Bar', 'Café'])
  expect(sortByName(items, 'desc').map(({ name }) => name)).toEqual(['Café', 'Bar', 'area 10', 'Area 2'])
})

test('a search matches name and detail, ignoring case', () => {
  expect(searchItems(items, ' AREA ').map(({ name }) => name)).toEqual(['area 10', 'Area 2'])
  expect(searchItems(items, 'detail café').map(({ name }) => name)).toEqual(['Café'])
  expect(searchItems(items, ' ')).toBe(items)
})

test('a change lists added and removed items and the switch to future items', () => {
  const some = diffLinks(links('0', '1', 'gone'), links('1', '2'), items)
  expect([some.added.map(({ name }) => name), some.removed.map(({ name }) => name), some.flag]).toEqual([
    ['Area 2'],
    ['Bar'],
    null,
  ])
  const all = diffLinks(links('0'), everything, items)
  expect([all.added.length, all.removed.length, all.flag, countChanges(all)]).toEqual([3, 0, 'on', 4])
  const back = diffLinks(everything, links('0', '1', '2', '3'), items)
  expect([back.added.length, back.removed.length, back.flag]).toEqual([0, 0, 'off'])
})

test('adding and removing ids keeps the other links', () => {
  expect([...setLinked(links('0'), ['1', '2'], true).ids]).toEqual(['0', '1', '2'])
  expect([...setLinked(links('0', '1'), ['0', '3'], false).ids]).toEqual(['1'])
  expect([countLinked(links('0', 'gone'), items), countLinked(everything, items)]).toEqual([1, 4])
})

test('a rebase keeps what another user saved and what was changed here', () => {
  const rebased = rebase(links('1', '2', '9'), links('1', '2', '3'), links('1', '3', '4'))
  expect([...rebased.ids].toSorted()).toEqual(['1', '4', '9'])
  expect(rebase(links('1'), links(), everything).all).toBe(true)
  expect(rebase(everything, links(), links('1')).all).toBe(true)
  expect(rebase(links('1'), everything, everything).all).toBe(false)
})
