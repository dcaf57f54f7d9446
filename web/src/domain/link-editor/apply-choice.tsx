/** How a selection applies: to all current items, to future items as well, or only to the selected ones. */
import { useState } from 'react'
import css from './link-panes.module.css'
import { isLinked, type LinkItem, type LinkSelection } from './links.ts'

type ApplyMode = 'allCurrent' | 'allCurrentAndFuture' | 'onlySelected'

/** The label of each mode on offer, in display order. With none, items can only be selected one by one. */
export type ApplyModeLabels = Readonly<Partial<Record<ApplyMode, string>>>

interface ApplyChoiceProps {
  modes: ApplyModeLabels
  links: LinkSelection
  items: readonly LinkItem[]
  onChange: (links: LinkSelection) => void
}

export function ApplyChoice({ modes, links, items, onChange }: ApplyChoiceProps) {
  const [requested, setRequested] = useState<ApplyMode | null>(null)
  const offered = Object.entries(modes) as [ApplyMode, string][]
  if (offered.length === 0) return null
  const matching = matchingModes(links, items)
  // If all items are selected, two modes match. Then show the one that the user chose.
  const current = requested !== null && matching.includes(requested) ? requested : matching[0]
  function choose(mode: ApplyMode) {
    setRequested(mode)
    const ids = mode === 'allCurrent' ? new Set(items.map(({ id }) => id)) : links.ids
    onChange({ ids, all: mode === 'allCurrentAndFuture' })
  }
  return (
    <div className={css.applies} role="radiogroup" aria-label="How it applies">
      {offered.map(([mode, label]) => (
        <label key={mode} className={css.apply}>
          <input
            type="radio"
            name="apply"
            className={css.control}
            checked={current === mode}
            onChange={() => choose(mode)}
          />
          {label}
        </label>
      ))}
      {links.all ? <p className={css.hint}>New ones are included automatically.</p> : null}
    </div>
  )
}

/** The modes that produce this selection. */
function matchingModes(links: LinkSelection, items: readonly LinkItem[]): readonly ApplyMode[] {
  if (links.all) return ['allCurrentAndFuture']
  return items.length > 0 && items.every(({ id }) => isLinked(links, id))
    ? ['allCurrent', 'onlySelected']
    : ['onlySelected']
}
