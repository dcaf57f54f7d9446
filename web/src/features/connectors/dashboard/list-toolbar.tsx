/** Toolbar above the list: filter by state, sort, and switch between cards and table. */
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { LayoutSwitch } from '../../../ui/display/layout-switch.tsx'
import css from './dashboard.module.css'
import { type ConnectorOrder, orderLabels, type ConnectorFilterState, stateLabels } from './connector-filters.ts'
import type { useListView } from './use-list-view.ts'

interface ListToolbarProps {
  view: ReturnType<typeof useListView>
  counts: ReadonlyMap<ConnectorFilterState, number>
  total: number
  children: ReactNode
}

export function ListToolbar({ view, counts, total, children }: ListToolbarProps) {
  return (
    <div className={css.tools}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out as a scrolling row in every browser. */}
      <div className={css.states} role="group" aria-label="Filter by status">
        <StateButton label="All" count={total} isChosen={view.state === null} onChoose={() => view.showState(null)} />
        {[...counts].map(([state, count]) => (
          <StateButton
            key={state}
            label={stateLabels[state]}
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
          data={Object.entries(orderLabels).map(([value, label]) => ({ value, label }))}
          onChange={(event) => view.sortBy(event.currentTarget.value as ConnectorOrder)}
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
