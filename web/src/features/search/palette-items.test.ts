import { expect, test } from 'vitest'
import { findItems, type PaletteItem } from './palette-items.ts'

function item(label: string, more: Partial<PaletteItem> = {}): PaletteItem {
  return { id: label, group: 'Pages', label, target: { to: '/' }, ...more }
}

function find(items: readonly PaletteItem[], term: string): readonly string[] {
  return findItems(items, term).map(({ label }) => label)
}

test('[UX-SHELL-9] the label itself comes first, then its beginning, then later words, then the rest', () => {
  const items = ['Workload', 'Link loads', 'Load history', 'Load'].map((label) => item(label))
  expect(find(items, 'load')).toEqual(['Load', 'Load history', 'Link loads', 'Workload'])
})

test('[UX-SHELL-9] every word must occur, in any order, in the label, the detail or the keywords', () => {
  const items = [item('Users', { detail: 'Admin' }), item('Users assigned'), item('Theme: dark', { keywords: 'night' })]
  expect(find(items, 'admin users')).toEqual(['Users'])
  expect(find(items, 'NIGHT theme')).toEqual(['Theme: dark'])
  expect(find(items, 'users nowhere')).toEqual([])
})

test('[UX-SHELL-9] an empty term finds everything, in the given order', () => {
  expect(find([item('B'), item('A')], '  ')).toEqual(['B', 'A'])
})
