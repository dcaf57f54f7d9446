/** Buttons that show only connectors in one group of states, with the number of connectors in each. */
import type { OverviewConnector } from '@tributary/contract/overview'
import css from './overview.module.css'
import { isInGroup, type StateGroup, stateGroups } from './overview-states.ts'
import { formatCount } from '../../ui/formats.ts'

interface StateFilterProps {
  connectors: readonly OverviewConnector[]
  group: StateGroup | null
  onGroup: (group: StateGroup | null) => void
}

export function StateFilter({ connectors, group, onGroup }: StateFilterProps) {
  const groups = (Object.keys(stateGroups) as StateGroup[])
    .map((name) => ({ name, count: connectors.filter((connector) => isInGroup(connector, name)).length }))
    .filter(({ name, count }) => count > 0 || name === group)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out as a scrolling row in every browser.
    <div className={css.states} role="group" aria-label="Filter the overview by state">
      <StateButton label="All" count={connectors.length} isChosen={group === null} onChoose={() => onGroup(null)} />
      {groups.map(({ name, count }) => (
        <StateButton
          key={name}
          label={stateGroups[name].label}
          count={count}
          isChosen={group === name}
          onChoose={() => onGroup(group === name ? null : name)}
        />
      ))}
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
      {label} <span className={css.count}>{formatCount(count)}</span>
    </button>
  )
}
