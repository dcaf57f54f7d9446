/** The frame of every signed-in page: the bar with title, sub-links, search and theme, then the content. */
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { useDocumentTitle } from './document-title.ts'
import css from './page.module.css'
import { ThemeSwitch } from '../theme/theme-switch.tsx'

export interface SectionLink {
  readonly label: string
  readonly to: string
  /** Shown below the bar while one is on this page or on one of these. */
  readonly links?: readonly SectionLink[]
  /** Other pages that belong to it, reached from its own. */
  readonly also?: readonly string[]
}

/** Ends every document title: the company's name. */
export const TitleContext = createContext('')

/** The links of all pages of a section, where the pages do not name their own. */
export const SectionContext = createContext<readonly SectionLink[]>([])

/** The title of the route, for pages that do not give their own. */
export const PageTitleContext = createContext('')

interface PageProps {
  title?: string
  links?: readonly SectionLink[]
  search?: ReactNode
  /** Set while another page is about to take this one's place: it has nothing to press, for that would go with it. */
  isPassing?: boolean
  children: ReactNode
}

export function Page({ title: ownTitle, links, search, isPassing = false, children }: PageProps) {
  const routeTitle = use(PageTitleContext)
  const title = ownTitle ?? routeTitle
  const ofSection = use(SectionContext)
  useDocumentTitle([title, use(TitleContext)])
  return (
    <>
      <header className={css.bar}>
        <div className={css.row}>
          <h1 className={css.title}>{title}</h1>
          <Sections title={title} links={links ?? ofSection} />
          <div className={css.tools}>
            {search === undefined ? null : <div className={css.search}>{search}</div>}
            {isPassing ? null : <ThemeSwitch />}
          </div>
        </div>
        <Sublinks links={links ?? ofSection} />
      </header>
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
    </>
  )
}

function Sections({ title, links }: { title: string; links: readonly SectionLink[] }) {
  const nav = useRef<HTMLElement>(null)
  // Where the links do not fit they scroll sideways, and the current one may be out of sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  if (links.length === 0) return null
  return (
    <nav ref={nav} className={css.links} aria-label={`${title} sections`}>
      {links.map((link) => (
        <TopLink key={link.to} link={link} />
      ))}
    </nav>
  )
}

/** A link with links of its own is the current one on their pages, too, wherever their addresses lie. */
function TopLink({ link }: { link: SectionLink }) {
  const { pathname } = useLocation()
  if (link.links === undefined) {
    return (
      <NavLink to={link.to} className={css.link ?? ''}>
        {link.label}
      </NavLink>
    )
  }
  const isHere = link.to === pathname
  return (
    <Link
      to={link.to}
      className={css.link ?? ''}
      {...(isWithin(link, pathname) && { 'aria-current': isHere ? 'page' : 'true' })}
    >
      {link.label}
    </Link>
  )
}

function Sublinks({ links }: { links: readonly SectionLink[] }) {
  const { pathname } = useLocation()
  const current = links.find((link) => isWithin(link, pathname))
  if (current?.links === undefined) return null
  return (
    <nav className={css.sublinks} aria-label={current.label}>
      {current.links.map(({ label, to, also = [] }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={css.link ?? ''}
          {...(also.includes(pathname) && { 'aria-current': 'true' })}
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

function isWithin({ to, links = [] }: SectionLink, pathname: string): boolean {
  return links.length > 0 && [to, ...links.flatMap((link) => [link.to, ...(link.also ?? [])])].includes(pathname)
}
