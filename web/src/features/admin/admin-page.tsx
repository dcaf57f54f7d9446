import type { ReactNode } from 'react'
import { useMay } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { Page, type SectionLink } from '../../ui/page.tsx'

const dashboard: SectionLink = { label: 'Dashboard', to: paths.adminDashboard }
const users: SectionLink = { label: 'Users', to: paths.adminUsers }

/** The frame of the admin pages, with the sub-links that the role may follow. */
export function AdminPage({ title, search, children }: { title: string; search?: ReactNode; children: ReactNode }) {
  const may = useMay()
  return (
    <Page title={title} links={may('seeAdminDashboard') ? [dashboard, users] : [users]} search={search}>
      {children}
    </Page>
  )
}
