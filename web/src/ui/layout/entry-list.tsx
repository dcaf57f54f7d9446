import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './entry-list.module.css'

/** List of entries, each with its action. */
export function EntryList({ children }: { children: ReactNode }) {
  return <ul className={css.entries}>{children}</ul>
}

interface EntryListItemProps {
  title: string
  marks?: ReactNode
  detail: ReactNode
  /** A paragraph below the detail: what last happened. */
  last?: ReactNode
  action: ReactNode
  /** Below the entry, in its full width: what its action has found. */
  children?: ReactNode
}

export function EntryListItem({ title, marks, detail, last, action, children }: EntryListItemProps) {
  return (
    <li className={css.entry}>
      <div className={css.words}>
        <p className={css.title}>
          {title} {marks}
        </p>
        <p className="small subtle">{detail}</p>
        {last}
      </div>
      {action}
      {children === undefined ? null : <div className={css.below}>{children}</div>}
    </li>
  )
}

/** The action of an entry or of a panel. */
export const EntryButton = Button.withProps({ variant: 'default', size: 'xs' })
