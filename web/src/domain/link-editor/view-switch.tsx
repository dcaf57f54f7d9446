/** Links to the pages that show the same links from the other side. */
import { Link, useLocation } from 'react-router'
import css from './link-editor.module.css'

export interface LinkPerspective {
  readonly label: string
  readonly to: string
}

export function ViewSwitch({ views }: { views: readonly LinkPerspective[] }) {
  const { pathname, search } = useLocation()
  const view = new URLSearchParams(search).get('view')
  const currentPath = view === null ? pathname : `${pathname}?view=${view}`
  if (views.length === 0) return null
  return (
    <nav className={css.views} aria-label="View">
      {views.map(({ label, to }) => (
        <Link key={to} to={to} className={css.view} {...(to === currentPath && { 'aria-current': 'page' })}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
