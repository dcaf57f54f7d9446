import type { ReactNode } from 'react'
import css from './profile.module.css'

/** Things of one kind under each other, each with what can be done with it. */
export function Entries({ children }: { children: ReactNode }) {
  return <ul className={css.entries}>{children}</ul>
}

interface EntryProps {
  title: string
  marks?: ReactNode
  detail: ReactNode
  action?: ReactNode
}

export function Entry({ title, marks, detail, action }: EntryProps) {
  return (
    <li className={css.entry}>
      <div className={css.words}>
        <p className={css.title}>
          {title} {marks}
        </p>
        <p className="small subtle">{detail}</p>
      </div>
      {action}
    </li>
  )
}
