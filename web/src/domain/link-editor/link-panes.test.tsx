import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { LinkPanes } from './link-panes.tsx'
import { type LinkCount, type LinkItem, noLinks } from './links.ts'

afterEach(leave)

const numbered = (word: string, count: number): readonly LinkItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${word} ${index}`, name: `${word} ${index + 1}` }))
const applyModes = {
  allCurrent: 'Select all current',
  allCurrentAndFuture: 'Select all current and future',
  onlySelected: 'Only selected',
}

interface ExampleProps {
  objects: readonly LinkItem[]
  subjects?: readonly LinkItem[]
  subject?: string | null
  counts?: Readonly<Record<string, LinkCount>>
  disabledBecause?: string
}

function Example({
  objects,
  subjects = numbered('Area', 3),
  subject = 'Area 0',
  counts = {},
  ...others
}: ExampleProps) {
  const [subjectId, setSubjectId] = useState<string | null>(subject)
  const [links, setLinks] = useState(noLinks)
  const [isOn, setOn] = useState(false)
  return (
    <LinkPanes
      subjects={{ title: 'Areas', one: 'area', page: '/excel/areas', items: subjects }}
      objects={{ title: 'Subareas', one: 'subarea', items: objects }}
      subjectId={subjectId}
      onSubject={setSubjectId}
      links={links}
      onLinks={setLinks}
      applyModes={applyModes}
      countOf={(id) => counts[id] ?? 0}
      unlinked={{ isOn, onToggle: () => setOn(!isOn), isUnlinked: (id) => !(id in counts) }}
      {...others}
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

test('[UX-EXCEL-2] until a subject is chosen, the other pane looks disabled, says why and has no controls', async () => {
  renderPart(<Example objects={numbered('Subarea', 3)} subject={null} />)
  expect(pane().dataset['disabled']).toBe('true')
  expect(pane().textContent).toContain('Choose one of the areas first.')
  expect(within(pane()).queryAllByRole('checkbox')).toEqual([])
  expect(within(pane()).queryByRole('searchbox')).toBeNull()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search areas' }), '2{Enter}')
  expect(pane().dataset['disabled']).toBeUndefined()
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search subareas' }))
  expect(pane().querySelector('legend')?.textContent).toBe('Subareas 0 of 3 for Area 2')
})

test('[UX-EXCEL-2] if there is nothing to choose at all, both panes say why', () => {
  renderPart(<Example objects={numbered('Subarea', 3)} subject={null} disabledBecause="Everything is granted." />)
  for (const name of [/^Areas/, /^Subareas/]) {
    const disabled = screen.getByRole('group', { name })
    expect(disabled.dataset['disabled']).toBe('true')
    expect(disabled.textContent).toContain('Everything is granted.')
  }
  expect(screen.queryAllByRole('radio')).toEqual([])
})

test('[UX-EXCEL-4] every subject shows how much is linked to it, and a button leaves those without links', async () => {
  renderPart(<Example objects={numbered('Subarea', 3)} subject={null} counts={{ 'Area 0': 1, 'Area 1': 'all' }} />)
  const areas = () => within(screen.getByRole('group', { name: /^Areas/ })).getAllByRole('radio')
  expect(areas().map((radio) => radio.getAttribute('aria-description'))).toEqual([
    '1 subarea',
    'all subareas',
    'no subareas',
  ])
  const without = screen.getByRole('button', { name: 'Without subareas' })
  await userEvent.click(without)
  expect(without.getAttribute('aria-pressed')).toBe('true')
  expect(areas()).toHaveLength(1)
  await userEvent.click(screen.getByRole('radio', { name: 'Area 3' }))
  expect(areas()).toHaveLength(1)
})

test('[UX-EXCEL-10] without subjects both panes say so, with a link to where they are added', () => {
  renderPart(
    <MemoryRouter>
      <Example subjects={[]} objects={numbered('Subarea', 3)} subject={null} />
    </MemoryRouter>,
  )
  const areas = screen.getByRole('group', { name: /^Areas/ })
  expect(areas.textContent).toContain('There are no areas yet.')
  expect(within(areas).getByRole('link', { name: 'Add areas' }).getAttribute('href')).toBe('/excel/areas')
  expect(within(areas).queryByRole('searchbox')).toBeNull()
  expect(pane().textContent).toContain('There are no areas yet, so there are no subareas to tick.')
})
