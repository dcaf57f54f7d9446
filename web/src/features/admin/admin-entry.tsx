import { Navigate } from 'react-router'
import { useMay } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { Allowed } from '../../ui/refused.tsx'

export function AdminEntry() {
  const may = useMay()
  return (
    <Allowed when={may('seeAdminMenu')} title="Admin">
      <Navigate to={may('seeAdminDashboard') ? paths.adminDashboard : paths.adminUsers} replace />
    </Allowed>
  )
}
