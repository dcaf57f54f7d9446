/** The page of the address, with the links of its section, or the refusal of a page that the role may not open. */
import { useEffect } from 'react'
import { Outlet, useLocation, useMatches } from 'react-router'
import { cacheForUser } from '../../api/local-storage.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { PageTitleContext, SectionLinksContext } from '../../ui/layout/page.tsx'
import { RefusedPage } from '../../domain/permissions/permission-gate.tsx'
import type { PortalRoute } from '../portal-route.ts'
import { createBreadcrumb, listLinks, findRefusedRoute, requireRoute, type Section, findSection } from './navigation.ts'

export function GuardedOutlet() {
  const { roleLevel, auditorUntil } = useWorkspace().identity
  const { pathname } = useLocation()
  const section = findSection(pathname)
  const route = useMatches().findLast(({ handle }) => handle !== undefined)?.handle as PortalRoute | undefined
  useBreadcrumb(section, pathname)
  const refused = route && findRefusedRoute(section, route, roleLevel)
  // The refusal of a section as a whole, and of a page of any other section, comes without links.
  // The other pages of the section are closed to auditors.
  const hasLinks =
    section !== undefined &&
    auditorUntil === undefined &&
    (refused === undefined || (section.isWhole && refused !== requireRoute(section.path)))
  return (
    <PageTitleContext value={route?.title ?? ''}>
      <SectionLinksContext value={hasLinks ? listLinks(section, roleLevel) : []}>
        {refused === undefined ? <Outlet /> : <RefusedPage title={refused.title} />}
      </SectionLinksContext>
    </PageTitleContext>
  )
}

function useBreadcrumb(section: Section | undefined, pathname: string): void {
  useEffect(() => {
    if (section?.isWhole === true) cacheForUser('breadCrumb', createBreadcrumb(section, pathname))
  }, [section, pathname])
}
