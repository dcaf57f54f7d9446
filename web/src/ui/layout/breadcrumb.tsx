import { Link } from 'react-router'
import css from './breadcrumb.module.css'

export interface Crumb {
  readonly label: string
  /** Absent for the page one is on. */
  readonly to?: string
}

/** The way to the page one is on. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className={css.crumbs} aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, to }) => (
          <li key={label}>
            {to === undefined ? <span aria-current="page">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
