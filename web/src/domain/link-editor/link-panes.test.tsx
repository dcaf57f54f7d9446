import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { LinkPanes } from './link-panes.tsx'
import { type LinkItem, noLinks } from './links.ts'

afterEach(leave)

const numbered = (word: string, count: number): readonly LinkItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${word} ${index}`, name: `${word} ${index + 1}` }))
const applyModes = {
  allCurrent: 'Select all current',
  allCurrentAndFuture: 'Select all current and future',
  onlySelected: 'Only selected',
}

function Example({ objects }: { objects: readonly LinkItem[] }) {
  const [subjectId, setSubjectId] = useState<string | null>('Area 0')
  const [links, setLinks] = useState(noLinks)
  return (
    <LinkPanes
      subjects={{ title: 'Areas', one: 'area', items: numbered('Area', 3) }}
      objects={{ title: 'Subareas', one: 'subarea', items: objects }}
      subjectId={subjectId}
      onSubject={setSubjectId}
      links={links}
      onLinks={setLinks}
      applyModes={applyModes}
    />
  )
}

const pane = () => screen.getByRole('group', { name: /^Subareas/ })
const box = (name: string) => within(pane()).getByRole<HTMLInputElement>('checkbox', { name })
const ticked = () =>
  within(pane())
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked }) => checked).length

test('[LINK-2] a list of thousands renders only the visible range, and arrow keys reach every item', async () => {
  renderPart(<Example objects={numbered('Subarea', 2_000)} />)
  expect(within(pane()).getAllByRole('checkbox').length).toBeLessThan(40)
  await userEvent.click(box('Subarea 1'))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(box('Subarea 2'))
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(box('Subarea 2000'))
  await userEvent.keyboard(' ')
  expect(pane().querySelector('legend')?.textContent).toContain('2 of 2000')
})

test('[LINK-2] Shift selects a range, by click and by key', async () => {
  renderPart(<Example objects={numbered('Subarea', 12)} />)
  const user = userEvent.setup()
  await user.click(box('Subarea 2'))
  await user.keyboard('{Shift>}')
  await user.click(box('Subarea 5'))
  await user.keyboard('{/Shift}')
  expect(ticked()).toBe(4)
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  expect(ticked()).toBe(6)
})

test('[LINK-2] Enter in the search box selects the first match, and the list is sorted and filtered', async () => {
  renderPart(<Example objects={numbered('Subarea', 12)} />)
  await userEvent.type(within(pane()).getByRole('searchbox'), '2{Enter}')
  expect(within(pane()).getAllByRole('checkbox')).toHaveLength(2)
  expect(box('Subarea 2').checked).toBe(true)
  await userEvent.click(within(pane()).getByRole('button', { name: 'Ticked only' }))
  expect(within(pane()).getAllByRole('checkbox')).toHaveLength(1)
})

test('[LINK-3] switching between the three modes keeps the selection', async () => {
  renderPart(<Example objects={numbered('Subarea', 4)} />)
  await userEvent.click(box('Subarea 1'))
  await userEvent.click(screen.getByRole('radio', { name: 'Select all current and future' }))
  expect(ticked()).toBe(4)
  await userEvent.click(box('Subarea 1'))
  expect(ticked()).toBe(4)
  await userEvent.click(screen.getByRole('radio', { name: 'Only selected' }))
  expect(ticked()).toBe(1)
  await userEvent.click(screen.getByRole('radio', { name: 'Select all current' }))
  expect(ticked()).toBe(4)
  await userEvent.click(screen.getByRole('radio', { name: 'Only selected' }))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Only selected' }).checked).toBe(true)
})

test('an item that applies to all subjects is ticked and cannot be removed', async () => {
  renderPart(
    <Example
      objects={[{ id: 'bar', name: 'Bar', isFixed: true, detail: 'Belongs to all areas' }, ...numbered('Subarea', 2)]}
    />,
  )
  await userEvent.click(box('Bar Belongs to all areas'))
  expect(ticked()).toBe(0)
  await userEvent.click(screen.getByRole('radio', { name: 'Area 2' }))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Area 2' }).checked).toBe(true)
})
