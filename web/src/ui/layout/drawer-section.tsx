import { type ReactNode, useId } from 'react'
import css from './drawer-section.module.css'

interface DrawerSectionProps {
  title: string
  /** Id of the heading, which may then be focused. */
  id?: string
  /** Buttons at the end of the heading's line. */
  aside?: ReactNode
  children: ReactNode
}

/** A titled section of a drawer. */
export function DrawerSection({ title, id, aside, children }: DrawerSectionProps) {
  const ownId = useId()
  const headingId = id ?? ownId
  return (
    <section className={css.section} aria-labelledby={headingId}>
      <div className={css.head}>
        <h3 id={headingId} tabIndex={id === undefined ? undefined : -1}>
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
