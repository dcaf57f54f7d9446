import { Navigate } from 'react-router'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'

export function AdminEntry() {
  const may = useMay()
  return <Navigate to={may('seeAdminDashboard') ? paths.adminDashboard : paths.adminUsers} replace />
}
