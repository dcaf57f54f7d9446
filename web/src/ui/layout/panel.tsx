import { type ReactNode, useId } from 'react'
import { CopyButton } from '../display/copy-button.tsx'
import css from './panel.module.css'

/** A titled section of a page. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

export interface DescriptionItem {
  readonly label: string
  readonly value: string
  /** Shown in a monospaced font with a copy button. */
  readonly isCode?: boolean
}

/** A list of names and values. */
export function DescriptionList({ items }: { items: readonly DescriptionItem[] }) {
  return (
    <dl className={css.facts}>
      {items.map(({ label, value, isCode }) => (
        <div key={label} className={css.fact}>
          <dt>{label}</dt>
          <dd>
            {isCode === true ? <code>{value}</code> : value}
            {isCode === true ? <CopyButton text={value} what={label.toLowerCase()} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
