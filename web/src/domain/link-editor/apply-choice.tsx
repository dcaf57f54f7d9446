/** How a choice is meant: those of today, those to come as well, or just the ones that are ticked. */
import { useState } from 'react'
import css from './link-editor.module.css'
import { has, type LinkItem, type Links } from './links.ts'

type Apply = 'allCurrent' | 'allCurrentAndFuture' | 'onlySelected'

/** What each way to apply is called, in the order they are offered; none leaves only ticking. */
export type Applies = Readonly<Partial<Record<Apply, string>>>

interface ApplyChoiceProps {
  applies: Applies
  links: Links
  items: readonly LinkItem[]
  onChange: (links: Links) => void
}

export function ApplyChoice({ applies, links, items, onChange }: ApplyChoiceProps) {
  const [wish, setWish] = useState<Apply | null>(null)
  const offered = Object.entries(applies) as [Apply, string][]
  if (offered.length === 0) return null
  const fitting = fittingOf(links, items)
  // With all of them ticked, two of the ways come to the same; then the one that was chosen is shown.
  const chosen = wish !== null && fitting.includes(wish) ? wish : fitting[0]
  function choose(apply: Apply) {
    setWish(apply)
    const ids = apply === 'allCurrent' ? new Set(items.map(({ id }) => id)) : links.ids
    onChange({ ids, all: apply === 'allCurrentAndFuture' })
  }
  return (
    <div className={css.applies} role="radiogroup" aria-label="How it applies">
      {offered.map(([apply, word]) => (
        <label key={apply} className={css.apply}>
          <input
            type="radio"
            name="apply"
            className={css.control}
            checked={chosen === apply}
            onChange={() => choose(apply)}
          />
          {word}
        </label>
      ))}
      {links.all ? <p className={css.hint}>New ones are included automatically.</p> : null}
    </div>
  )
}

/** The ways that come to this choice. */
function fittingOf(links: Links, items: readonly LinkItem[]): readonly Apply[] {
  if (links.all) return ['allCurrentAndFuture']
  return items.length > 0 && items.every(({ id }) => has(links, id)) ? ['allCurrent', 'onlySelected'] : ['onlySelected']
}
