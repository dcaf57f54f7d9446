/**
 * The layout of every signed-in page: a header with title, section links, search and theme switch, then the
 * content.
 */
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { useDocumentTitle } from './document-title.ts'
import css from './page.module.css'
import { useStickyTop } from './use-sticky-top.ts'
import { ThemeSwitch } from '../theme/theme-switch.tsx'

export interface SectionLink {
  readonly label: string
  readonly to: string
  /** Shown below the header while this page or one of these is the current one. */
  readonly links?: readonly SectionLink[]
  /** Paths of other pages that belong to this one. */
  readonly relatedPaths?: readonly string[]
}

/** Appended to every document title. */
export const TitleSuffixContext = createContext('')

/** The links of the section that a page belongs to. */
export const SectionLinksContext = createContext<readonly SectionLink[]>([])

/** The title of the route, for pages that do not give their own. */
export const PageTitleContext = createContext('')

interface PageProps {
  title?: string
  search?: ReactNode
  /**
   * Another page is about to replace this one. It shows no controls, because they would disappear under the
   * pointer.
   */
  isTemporary?: boolean
  children: ReactNode
}

export function Page({ title: ownTitle, search, isTemporary = false, children }: PageProps) {
  const routeTitle = use(PageTitleContext)
  const title = ownTitle ?? routeTitle
  const links = use(SectionLinksContext)
  const header = useStickyTop()
  useDocumentTitle([title, use(TitleSuffixContext)])
  return (
    <>
      <header ref={header} className={css.bar}>
        <div className={css.row}>
          <h1 className={css.title}>{title}</h1>
          <Sections title={title} links={links} />
          <div className={css.tools}>
            {search === undefined ? null : <div className={css.search}>{search}</div>}
            {isTemporary ? null : <ThemeSwitch />}
          </div>
        </div>
        <Sublinks links={links} />
      </header>
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
    </>
  )
}

function Sections({ title, links }: { title: string; links: readonly SectionLink[] }) {
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the links scroll sideways, and the current one may be hidden.
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

/** A link with sublinks is also current on their pages, whatever their paths are. */
function TopLink({ link }: { link: SectionLink }) {
  const { pathname } = useLocation()
  if (link.links === undefined) {
    return (
      <NavLink to={link.to} className={css.link ?? ''}>
        {link.label}
      </NavLink>
    )
  }
  const isCurrentPage = link.to === pathname
  return (
    <Link
      to={link.to}
      className={css.link ?? ''}
      {...(isWithin(link, pathname) && { 'aria-current': isCurrentPage ? 'page' : 'true' })}
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
      {current.links.map(({ label, to, relatedPaths = [] }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={css.link ?? ''}
          {...(relatedPaths.includes(pathname) && { 'aria-current': 'true' })}
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

function isWithin({ to, links = [] }: SectionLink, pathname: string): boolean {
  return (
    links.length > 0 && [to, ...links.flatMap((link) => [link.to, ...(link.relatedPaths ?? [])])].includes(pathname)
  )
}
