/** The guides, in a drawer over the page that they are about. Lazy-loaded with the list of guides. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Guide, guides } from 'virtual:guides'
import { loadChunk } from '../../api/load-chunk.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { GuideContent, sectionId } from './guide-content.tsx'
import css from './help.module.css'
import { type HelpLinks, openInPlace } from './help-links.ts'

interface HelpDrawerProps extends HelpLinks {
  readonly place: string
  readonly onClose: () => void
}

export function HelpDrawer({ place, onClose, ...links }: HelpDrawerProps) {
  const [path = '', section] = place.split('#')
  const guide = guides.find((one) => one.path === path) ?? guides[0]
  if (guide === undefined) return null
  return (
    <Dialog
      kind="wide drawer"
      title={guide.title}
      subtitle={<GuideLinks current={guide} {...links} />}
      onClose={onClose}
    >
      <SectionList guide={guide} {...links} />
      <LoadedGuide key={guide.path} guide={guide} section={section} {...links} />
    </Dialog>
  )
}

function GuideLinks({ current, ...links }: HelpLinks & { readonly current: Guide }) {
  return (
    <nav className={css.guides} aria-label="Guides">
      {guides
        .filter(({ isForUsers }) => isForUsers)
        .map(({ path, title }) => (
          <HelpLink key={path} place={path} isCurrent={path === current.path} {...links}>
            {title.replace('Guide for ', 'For ')}
          </HelpLink>
        ))}
    </nav>
  )
}

function SectionList({ guide: { path, sections }, ...links }: HelpLinks & { readonly guide: Guide }) {
  if (sections.length === 0) return null
  return (
    // Closed again after a choice, which scrolls to the section.
    <details key={path} className={css.contents}>
      <summary>In this guide</summary>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <HelpLink place={`${path}#${id}`} {...links}>
              {title}
            </HelpLink>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface HelpLinkProps extends HelpLinks {
  readonly place: string
  readonly isCurrent?: boolean
  readonly children: string
}

function HelpLink({ place, isCurrent = false, linkTo, onOpen, children }: HelpLinkProps) {
  return (
    <a
      href={linkTo(place)}
      {...(isCurrent && { 'aria-current': 'true' })}
      onClick={(event) => openInPlace(event, () => onOpen(place))}
    >
      {children}
    </a>
  )
}

interface LoadedGuideProps extends HelpLinks {
  readonly guide: Guide
  readonly section: string | undefined
}

function LoadedGuide({ guide, section, ...links }: LoadedGuideProps) {
  const loaded = useQuery({
    queryKey: ['guide', guide.path],
    queryFn: () => loadChunk(guide.load),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const isLoaded = loaded.data !== undefined
  useEffect(() => {
    if (!isLoaded || section === undefined) return
    const heading = document.getElementById(sectionId(section))
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [isLoaded, section])
  return <QueryResult query={loaded}>{(content) => <GuideContent {...content} {...links} />}</QueryResult>
}
