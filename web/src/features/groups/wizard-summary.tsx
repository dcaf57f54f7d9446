/** Summary of the draft's grants, shown in every step. */
import type { GroupDraft } from './group-draft.ts'
import { type GrantKeys, hasEverything, type ScopeDimension, parseGrantKey } from './grant-keys.ts'
import css from './groups.module.css'
import { formatCount } from '../../ui/formats.ts'

const maxLines = 8

interface WizardSummaryProps {
  draft: GroupDraft
  areas: ScopeDimension
  versions: ScopeDimension
}

export function WizardSummary({ draft, areas, versions }: WizardSummaryProps) {
  return (
    <aside className={css.summary} aria-label="Summary">
      <h2 className={css.summaryTitle}>This group grants</h2>
      <SummarySection
        title="Areas"
        all="All areas and subareas, current and future"
        dimension={areas}
        keys={draft.pairs}
        inner="subarea"
        wholeInner="with all areas"
      />
      <SummarySection
        title="Versions"
        all="All versions and milestones, current and future"
        dimension={versions}
        keys={draft.milestones}
        inner="milestone"
        wholeInner=""
      />
    </aside>
  )
}

interface SummarySectionProps {
  title: string
  all: string
  dimension: ScopeDimension
  keys: GrantKeys
  inner: string
  /** Text after an inner item that is granted with all outer items. */
  wholeInner: string
}

function SummarySection({ title, all, dimension, keys, inner, wholeInner }: SummarySectionProps) {
  const lines = [...outerLines(dimension, keys, inner), ...innerLines(dimension, keys, wholeInner)]
  return (
    <section>
      <h3>{title}</h3>
      <p className="small muted">{hasEverything(keys) ? all : summaryHeadline(dimension, keys, title.toLowerCase())}</p>
      {hasEverything(keys) ? null : (
        <ul className={css.summaryLines}>
          {lines.slice(0, maxLines).map(({ id, name, detail }) => (
            <li key={id}>
              {name} <span className="subtle">{detail}</span>
            </li>
          ))}
          {lines.length > maxLines ? (
            <li className="subtle">{`and ${formatCount(lines.length - maxLines)} more`}</li>
          ) : null}
        </ul>
      )}
    </section>
  )
}

/** Formats '14 of 32 areas, 3 with all current and future'. */
function summaryHeadline(dimension: ScopeDimension, keys: GrantKeys, many: string): string {
  const granted = countGrants(keys)
  const known = dimension.outer.filter(({ id }) => granted.outer.has(id))
  const whole = known.filter(({ id }) => granted.outer.get(id) === 'all').length
  const detail = `${formatCount(known.length)} of ${formatCount(dimension.outer.length)} ${many}`
  return whole === 0 ? detail : `${detail}, ${formatCount(whole)} with all current and future`
}

function outerLines(dimension: ScopeDimension, keys: GrantKeys, inner: string) {
  const { outer } = countGrants(keys)
  return dimension.outer.flatMap(({ id, name }) => {
    const size = outer.get(id)
    if (size === undefined) return []
    return [
      {
        id,
        name,
        detail:
          size === 'all' ? 'all current and future' : size === 1 ? `1 ${inner}` : `${formatCount(size)} ${inner}s`,
      },
    ]
  })
}

function innerLines(dimension: ScopeDimension, keys: GrantKeys, detail: string) {
  const { inner } = countGrants(keys)
  return dimension.inner.filter(({ id }) => inner.has(id)).map(({ id, name }) => ({ id, name, detail }))
}

/** How many inner items are granted for each outer one, and which inner items with all outer ones. */
function countGrants(keys: GrantKeys) {
  const outer = new Map<string, number | 'all'>()
  const inner = new Set<string>()
  for (const [outerId, innerId] of [...keys].map(parseGrantKey)) {
    if (outerId === null && innerId !== null) inner.add(innerId)
    if (outerId === null) continue
    const size = outer.get(outerId) ?? 0
    outer.set(outerId, innerId === null || size === 'all' ? 'all' : size + 1)
  }
  return { outer, inner }
}
