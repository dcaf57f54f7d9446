import type { ReactNode } from 'react'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { Page, type SectionLink } from '../../ui/layout/page.tsx'

const providerLinks: readonly SectionLink[] = [
  { label: 'Dashboard', to: paths.adminDashboard },
  { label: 'Global Configuration', to: paths.adminConfiguration },
]
const adminLinks: readonly SectionLink[] = [
  { label: 'Users', to: paths.adminUsers },
  { label: 'Approvals', to: paths.adminApprovals },
  { label: 'Organisations', to: paths.adminOrganisations },
  { label: 'Audit log', to: paths.adminAudit },
]

/** The layout of the admin pages, with the section links that the user's role may open. */
export function AdminPage({ title, search, children }: { title: string; search?: ReactNode; children: ReactNode }) {
  const may = useMay()
  return (
    <Page
      title={title}
      links={may('seeAdminDashboard') ? [...providerLinks, ...adminLinks] : adminLinks}
      search={search}
    >
      {children}
    </Page>
  )
}
