/** The same links, seen from either side. */
import { Link, useLocation } from 'react-router'
import css from './link-editor.module.css'

export interface SideView {
  readonly label: string
  readonly to: string
}

export function ViewSwitch({ views }: { views: readonly SideView[] }) {
  const { pathname, search } = useLocation()
  const view = new URLSearchParams(search).get('view')
  const here = view === null ? pathname : `${pathname}?view=${view}`
  if (views.length === 0) return null
  return (
    <nav className={css.views} aria-label="View">
      {views.map(({ label, to }) => (
        <Link key={to} to={to} className={css.view} {...(to === here && { 'aria-current': 'page' })}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
