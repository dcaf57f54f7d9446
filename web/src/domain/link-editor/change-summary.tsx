/** What saving would change, before it is saved. */
import css from './link-editor.module.css'
import { type LinkChange, type LinkItem, sizeOf } from './links.ts'

const namedMax = 6

export function ChangeSummary({ change }: { change: LinkChange }) {
  const size = sizeOf(change)
  return (
    <div className={css.summary}>
      <output className={size === 0 ? css.hint : css.total}>{changeWords(size)}</output>
      {change.flag === null ? null : (
        <span className={css.chip} data-tone={change.flag === 'on' ? 'added' : 'removed'}>
          {`${change.flag === 'on' ? '+' : '−'} all current and future`}
        </span>
      )}
      <Chips items={change.added} tone="added" />
      <Chips items={change.removed} tone="removed" />
    </div>
  )
}

function changeWords(size: number): string {
  if (size === 0) return 'Nothing changed yet.'
  return size === 1 ? '1 change' : `${size} changes`
}

function Chips({ items, tone }: { items: readonly LinkItem[]; tone: 'added' | 'removed' }) {
  const sign = tone === 'added' ? '+' : '−'
  return (
    <>
      {items.slice(0, namedMax).map(({ id, name }) => (
        <span key={id} className={css.chip} data-tone={tone}>{`${sign} ${name}`}</span>
      ))}
      {items.length > namedMax ? (
        <span className={css.chip} data-tone={tone}>{`${sign} ${items.length - namedMax} more`}</span>
      ) : null}
    </>
  )
}
