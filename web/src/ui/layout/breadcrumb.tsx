import { Link } from 'react-router'
import css from './breadcrumb.module.css'

export interface BreadcrumbItem {
  readonly label: string
  /** Absent for the current page. */
  readonly to?: string
}

/** Shows the path to the current page. */
export function Breadcrumb({ items }: { items: readonly BreadcrumbItem[] }) {
  return (
    <nav className={css.crumbs} aria-label="Breadcrumb">
      <ol>
        {items.map(({ label, to }) => (
          <li key={label}>
            {to === undefined ? <span aria-current="page">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
