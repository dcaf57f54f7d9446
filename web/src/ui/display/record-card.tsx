/** The layout of every card: icon, name, badge, subtitle, details, and actions in the footer. */
import { type ReactNode, useId } from 'react'
import css from './record-card.module.css'

interface RecordCardProps {
  /** The id of the heading. Buttons refer to it by `aria-describedby`, so that their names stay short. */
  titleId?: string
  mark: ReactNode
  title: ReactNode
  subtitle?: ReactNode
  badge?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /** Greyed out, because the record has no actions any more. */
  isInactive?: boolean
  /** The record that a link led to. */
  isHighlighted?: boolean
}

export function RecordCard({
  titleId,
  mark,
  title,
  subtitle,
  badge,
  children,
  footer,
  isInactive,
  isHighlighted,
}: RecordCardProps) {
  const ownId = useId()
  const headingId = titleId ?? ownId
  return (
    <article
      className={css.card}
      aria-labelledby={headingId}
      data-inactive={isInactive || undefined}
      data-highlighted={isHighlighted || undefined}
    >
      <div className={css.head}>
        {mark}
        <div className={css.names}>
          <h2 className={css.title} id={headingId}>
            {title}
          </h2>
          {subtitle === undefined ? null : <div className={css.subtitle}>{subtitle}</div>}
        </div>
        {badge}
      </div>
      <div className={css.body}>{children}</div>
      {footer === undefined || footer === null ? null : <div className={css.footer}>{footer}</div>}
    </article>
  )
}

export function CardGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={css.grid} aria-label={label}>
      {children}
    </section>
  )
}
