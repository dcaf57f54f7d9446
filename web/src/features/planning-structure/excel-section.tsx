/** Frame of all Excel pages: their links, and the permission to see them. */
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { cacheForUser } from '../../api/local-storage.ts'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { SectionLinksContext, type SectionLink } from '../../ui/layout/page.tsx'
import { PermissionGate } from '../../domain/permissions/permission-gate.tsx'

const configureLink = { label: 'Configure', to: paths.tableSync }
const loadLink = { label: 'Load', to: paths.loads }
const sectionLinks: readonly SectionLink[] = [
  { label: 'Areas', to: paths.areas, links: [{ label: 'Link', to: paths.areaLinks }] },
  { label: 'Subareas', to: paths.subareas, links: [{ label: 'Link', to: paths.subareaLinks }] },
  { label: 'Versions', to: paths.versions },
  { label: 'Helper Tables', to: paths.helperTables },
  loadLink,
  configureLink,
  {
    label: 'Security',
    to: paths.securityGroups,
    links: [
      { label: 'Groups', to: paths.securityGroups },
      { label: 'User groups', to: paths.userGroups },
      { label: 'User helper tables', to: paths.userHelperTables, relatedPaths: [paths.helperTableUsers] },
      { label: 'Entities', to: paths.entities },
      { label: 'User entities', to: paths.userEntities, relatedPaths: [paths.entityUsers] },
    ],
  },
]

export function ExcelSection() {
  const may = useMay()
  useStoredBreadcrumb()
  return (
    <PermissionGate when={may('seeExcel')} title="Excel">
      <SectionLinksContext
        value={sectionLinks.filter(
          (link) => (link !== configureLink || may('configureTables')) && (link !== loadLink || may('loadTables')),
        )}
      >
        <Outlet />
      </SectionLinksContext>
    </PermissionGate>
  )
}

/** Stores the breadcrumb of the current page. */
function useStoredBreadcrumb() {
  const { pathname } = useLocation()
  useEffect(() => void cacheForUser('breadCrumb', breadcrumb(pathname)), [pathname])
}

function breadcrumb(pathname: string): readonly string[] {
  const section = sectionLinks.find(({ to, links: below = [] }) =>
    [to, ...below.map((link) => link.to)].includes(pathname),
  )
  const below = section?.links?.find(({ to }) => to === pathname)
  return ['Excel', ...(section === undefined ? [] : [section.label]), ...(below === undefined ? [] : [below.label])]
}
