import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './collapsible-section.module.css'

/** A form section that few users change. While closed it shows a summary of its settings. */
export function CollapsibleSection({
  title,
  summary,
  children,
}: {
  title: string
  summary: string
  children: ReactNode
}) {
  return (
    <details className={css.fold}>
      <summary className={css.summary}>
        <IconChevronRight size={18} className={css.arrow} />
        <h3 className={css.title}>{title}</h3>
        <span className={css.state}>{summary}</span>
      </summary>
      <div className={css.inside}>{children}</div>
    </details>
  )
}
