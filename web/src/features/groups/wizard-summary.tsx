/** What the draft grants so far, beside every step. */
import { count } from '../../ui/tables/data-table.tsx'
import type { GroupDraft } from './group-draft.ts'
import { type GrantKeys, hasEverything, type Plane, sidesOf } from './grant-keys.ts'
import css from './groups.module.css'

const namedMax = 8

interface WizardSummaryProps {
  draft: GroupDraft
  areas: Plane
  versions: Plane
}

export function WizardSummary({ draft, areas, versions }: WizardSummaryProps) {
  return (
    <aside className={css.summary} aria-label="Summary">
      <h2 className={css.summaryTitle}>This group grants</h2>
      <Part
        title="Areas"
        all="All areas and subareas, current and future"
        plane={areas}
        keys={draft.pairs}
        inner="subarea"
        wholeInner="with all areas"
      />
      <Part
        title="Versions"
        all="All versions and milestones, current and future"
        plane={versions}
        keys={draft.milestones}
        inner="milestone"
        wholeInner=""
      />
    </aside>
  )
}

interface PartProps {
  title: string
  all: string
  plane: Plane
  keys: GrantKeys
  inner: string
  /** What is said of an inner one that is granted with all outer ones. */
  wholeInner: string
}

function Part({ title, all, plane, keys, inner, wholeInner }: PartProps) {
  const lines = [...outerLines(plane, keys, inner), ...innerLines(plane, keys, wholeInner)]
  return (
    <section>
      <h3>{title}</h3>
      <p className="small muted">{hasEverything(keys) ? all : headline(plane, keys, title.toLowerCase())}</p>
      {hasEverything(keys) ? null : (
        <ul className={css.summaryLines}>
          {lines.slice(0, namedMax).map(({ id, name, words }) => (
            <li key={id}>
              {name} <span className="subtle">{words}</span>
            </li>
          ))}
          {lines.length > namedMax ? <li className="subtle">{`and ${count(lines.length - namedMax)} more`}</li> : null}
        </ul>
      )}
    </section>
  )
}

/** '14 of 32 areas, 3 with all current and future' */
function headline(plane: Plane, keys: GrantKeys, many: string): string {
  const granted = grantedOf(keys)
  const known = plane.outer.filter(({ id }) => granted.outer.has(id))
  const whole = known.filter(({ id }) => granted.outer.get(id) === 'all').length
  const words = `${count(known.length)} of ${count(plane.outer.length)} ${many}`
  return whole === 0 ? words : `${words}, ${count(whole)} with all current and future`
}

interface SummaryLine {
  readonly id: string
  readonly name: string
  readonly words: string
}

function outerLines(plane: Plane, keys: GrantKeys, inner: string): readonly SummaryLine[] {
  const { outer } = grantedOf(keys)
  return plane.outer.flatMap(({ id, name }) => {
    const size = outer.get(id)
    if (size === undefined) return []
    return [
      {
        id,
        name,
        words: size === 'all' ? 'all current and future' : size === 1 ? `1 ${inner}` : `${count(size)} ${inner}s`,
      },
    ]
  })
}

function innerLines(plane: Plane, keys: GrantKeys, words: string): readonly SummaryLine[] {
  const { inner } = grantedOf(keys)
  return plane.inner.filter(({ id }) => inner.has(id)).map(({ id, name }) => ({ id, name, words }))
}

/** How much of each outer one, and which inner ones with all outer ones. */
function grantedOf(keys: GrantKeys) {
  const outer = new Map<string, number | 'all'>()
  const inner = new Set<string>()
  for (const [outerId, innerId] of [...keys].map(sidesOf)) {
    if (outerId === null && innerId !== null) inner.add(innerId)
    if (outerId === null) continue
    const size = outer.get(outerId) ?? 0
    outer.set(outerId, innerId === null || size === 'all' ? 'all' : size + 1)
  }
  return { outer, inner }
}
