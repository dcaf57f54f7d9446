/** The frame of every signed-in page: the bar with title, sub-links, search and theme, then the content. */
import { createContext, type ReactNode, use } from 'react'
import { NavLink } from 'react-router'
import { useDocumentTitle } from './document-title.ts'
import css from './page.module.css'
import { ThemeSwitch } from './theme-switch.tsx'

export interface SectionLink {
  readonly label: string
  readonly to: string
}

/** Ends every document title: the company's name. */
export const TitleContext = createContext('')

interface PageProps {
  title: string
  links?: readonly SectionLink[]
  search?: ReactNode
  children: ReactNode
}

export function Page({ title, links = [], search, children }: PageProps) {
  useDocumentTitle([title, use(TitleContext)])
  return (
    <>
      <header className={css.bar}>
        <h1 className={css.title}>{title}</h1>
        {links.length === 0 ? null : (
          <nav className={css.links} aria-label={`${title} sections`}>
            {links.map((link) => (
              <NavLink key={link.to} to={link.to} className={css.link ?? ''}>
                {link.label}
              </NavLink>
            ))}
          </nav>
        )}
        <div className={css.tools}>
          {search === undefined ? null : <div className={css.search}>{search}</div>}
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
    </>
  )
}
