/**
 * The layout of every signed-in page. The header is one grid on all pages: title and tools in the first row, the links
 * of the section and the page's search in the second, their sublinks in the third. Nothing moves from page to page.
 */
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Breadcrumb, type BreadcrumbItem } from './breadcrumb.tsx'
import { useDocumentTitle } from './document-title.ts'
import css from './page.module.css'
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

/** The controls that the header of every page has before its theme switch. */
export const HeaderToolsContext = createContext<ReactNode>(null)

/** Decides how wide the content may become: `--width-form` and so on in tokens.css. */
type PageKind = 'form' | 'list' | 'board' | 'editor'

interface PageProps {
  kind: PageKind
  title?: string
  /** The way to the page, next to its title. Replaces the title on screen if it begins with it. */
  crumbs?: readonly BreadcrumbItem[]
  search?: ReactNode
  /**
   * Another page is about to replace this one. It shows no controls, because they would disappear under the
   * pointer.
   */
  isTemporary?: boolean
  children: ReactNode
}

export function Page({ kind, title: ownTitle, crumbs = [], search, isTemporary = false, children }: PageProps) {
  const routeTitle = use(PageTitleContext)
  const title = ownTitle ?? routeTitle
  const links = use(SectionLinksContext)
  const tools = use(HeaderToolsContext)
  useDocumentTitle([title, use(TitleSuffixContext)])
  return (
    <>
      <header className={css.bar}>
        <div className={css.row}>
          <div className={css.heading}>
            <h1 className={crumbs[0]?.label === title ? 'visually-hidden' : css.title}>{title}</h1>
            {crumbs.length === 0 ? null : <Breadcrumb items={crumbs} />}
          </div>
          {isTemporary ? null : (
            <div className={css.tools} data-header-tools>
              {tools}
              <ThemeSwitch />
            </div>
          )}
        </div>
        {links.length === 0 && search === undefined ? null : (
          <div className={css.tabs}>
            <Sections title={title} links={links} />
            {search === undefined ? null : <div className={css.search}>{search}</div>}
          </div>
        )}
        <Sublinks links={links} />
      </header>
      <main id="main" tabIndex={-1} className={css.main} data-kind={kind}>
        {children}
      </main>
    </>
  )
}

function Sections({ title, links }: { title: string; links: readonly SectionLink[] }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a narrow screen the links scroll sideways, and the current one may be hidden.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  if (links.length === 0) return null
  return (
    <nav ref={nav} className={css.links} aria-label={`${title} sections`}>
      {links.map((link) => (
        <TopLink
          key={link.to}
          link={link}
          isExact={links
            .flatMap(({ to, links: sublinks = [] }) => [to, ...sublinks.map((one) => one.to)])
            .some((to) => to.startsWith(`${link.to}/`) && `${pathname}/`.startsWith(`${to}/`))}
        />
      ))}
    </nav>
  )
}

/**
 * A link with sublinks is also current on their pages, whatever their paths are.
 *
 * @param isExact another link of the section names the page more closely.
 */
function TopLink({ link, isExact }: { link: SectionLink; isExact: boolean }) {
  const { pathname } = useLocation()
  if (link.links === undefined) {
    return (
      <NavLink to={link.to} end={isExact} className={css.link ?? ''}>
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
