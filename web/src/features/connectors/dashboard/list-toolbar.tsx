/** Above the list: narrow it by state, sort it, and choose between cards and a table. */
import { NativeSelect } from '@mantine/core'
import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './dashboard.module.css'
import { type Layout, type Order, orders, type State, states } from './connector-filters.ts'
import type { useListView } from './use-list-view.ts'

interface ListToolsProps {
  view: ReturnType<typeof useListView>
  counts: ReadonlyMap<State, number>
  total: number
  children: ReactNode
}

export function ListTools({ view, counts, total, children }: ListToolsProps) {
  return (
    <div className={css.tools}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out as a scrolling row in every browser. */}
      <div className={css.states} role="group" aria-label="Filter by status">
        <StateButton label="All" count={total} isChosen={view.state === null} onChoose={() => view.showState(null)} />
        {[...counts].map(([state, count]) => (
          <StateButton
            key={state}
            label={states[state]}
            count={count}
            isChosen={view.state === state}
            onChoose={() => view.showState(view.state === state ? null : state)}
          />
        ))}
      </div>
      <div className={css.choices}>
        <NativeSelect
          aria-label="Sort by"
          className={css.order ?? ''}
          value={view.order}
          data={Object.entries(orders).map(([value, label]) => ({ value, label }))}
          onChange={(event) => view.sortBy(event.currentTarget.value as Order)}
        />
        <LayoutSwitch layout={view.layout} onChange={view.layOut} />
        {children}
      </div>
    </div>
  )
}

interface StateButtonProps {
  label: string
  count: number
  isChosen: boolean
  onChoose: () => void
}

function StateButton({ label, count, isChosen, onChoose }: StateButtonProps) {
  return (
    <button type="button" className={css.state} aria-pressed={isChosen} onClick={onChoose}>
      {label} <span className={css.count}>{count}</span>
    </button>
  )
}

const layouts = [
  { value: 'cards', label: 'Cards', Icon: IconLayoutGrid },
  { value: 'table', label: 'Table', Icon: IconTable },
] as const

function LayoutSwitch({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- two buttons side by side, no fields of a form.
    <div className={css.layouts} role="group" aria-label="Show as">
      {layouts.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          className={css.layout}
          aria-pressed={layout === value}
          aria-label={label}
          title={label}
          onClick={() => onChange(value)}
        >
          <Icon size={18} stroke={1.75} aria-hidden />
        </button>
      ))}
    </div>
  )
}
