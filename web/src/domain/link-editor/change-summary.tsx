/** Summarises the unsaved changes. */
import css from './link-editor.module.css'
import { type LinkChange, type LinkItem, countChanges } from './links.ts'

const chipsMax = 6

export function ChangeSummary({ change }: { change: LinkChange }) {
  const size = countChanges(change)
  return (
    <>
      <output className={size === 0 ? 'small subtle' : css.total}>{formatChangeCount(size)}</output>
      {change.flag === null ? null : (
        <span className={css.chip} data-tone={change.flag === 'on' ? 'added' : 'removed'}>
          {`${change.flag === 'on' ? '+' : '−'} all current and future`}
        </span>
      )}
      <Chips items={change.added} tone="added" />
      <Chips items={change.removed} tone="removed" />
    </>
  )
}

function formatChangeCount(size: number): string {
  if (size === 0) return 'Nothing changed yet.'
  return size === 1 ? '1 change' : `${size} changes`
}

function Chips({ items, tone }: { items: readonly LinkItem[]; tone: 'added' | 'removed' }) {
  const sign = tone === 'added' ? '+' : '−'
  return (
    <>
      {items.slice(0, chipsMax).map(({ id, name }) => (
        <span key={id} className={css.chip} data-tone={tone}>{`${sign} ${name}`}</span>
      ))}
      {items.length > chipsMax ? (
        <span className={css.chip} data-tone={tone}>{`${sign} ${items.length - chipsMax} more`}</span>
      ) : null}
    </>
  )
}
