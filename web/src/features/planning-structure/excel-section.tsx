/** What all Excel pages have in common: their links, and who may see them at all. */
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { cacheForUser } from '../../api/local-storage.ts'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { SectionContext, type SectionLink } from '../../ui/layout/page.tsx'
import { Allowed } from '../../domain/permissions/permission-gate.tsx'

const configure = { label: 'Configure', to: paths.tableSync }
const load = { label: 'Load', to: paths.loads }
const links: readonly SectionLink[] = [
  { label: 'Areas', to: paths.areas, links: [{ label: 'Link', to: paths.areaLinks }] },
  { label: 'Subareas', to: paths.subareas, links: [{ label: 'Link', to: paths.subareaLinks }] },
  { label: 'Versions', to: paths.versions },
  { label: 'Helper Tables', to: paths.helperTables },
  load,
  configure,
  {
    label: 'Security',
    to: paths.securityGroups,
    links: [
      { label: 'Groups', to: paths.securityGroups },
      { label: 'User groups', to: paths.userGroups },
      { label: 'User helper tables', to: paths.userHelperTables, also: [paths.helperTableUsers] },
      { label: 'Entities', to: paths.entities },
      { label: 'User entities', to: paths.userEntities, also: [paths.entityUsers] },
    ],
  },
]

export function ExcelSection() {
  const may = useMay()
  useBreadCrumb()
  return (
    <Allowed when={may('seeExcel')} title="Excel">
      <SectionContext
        value={links.filter(
          (link) => (link !== configure || may('configureTables')) && (link !== load || may('loadTables')),
        )}
      >
        <Outlet />
      </SectionContext>
    </Allowed>
  )
}

/** The way to the page one is on, by its links. */
function useBreadCrumb() {
  const { pathname } = useLocation()
  useEffect(() => void cacheForUser('breadCrumb', crumbsOf(pathname)), [pathname])
}

function crumbsOf(pathname: string): readonly string[] {
  const section = links.find(({ to, links: below = [] }) => [to, ...below.map((link) => link.to)].includes(pathname))
  const below = section?.links?.find(({ to }) => to === pathname)
  return ['Excel', ...(section === undefined ? [] : [section.label]), ...(below === undefined ? [] : [below.label])]
}
