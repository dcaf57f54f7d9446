import { Navigate } from 'react-router'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { PermissionGate } from '../../domain/permissions/permission-gate.tsx'

export function AdminEntry() {
  const may = useMay()
  return (
    <PermissionGate when={may('seeAdminMenu')} title="Admin">
      <Navigate to={may('seeAdminDashboard') ? paths.adminDashboard : paths.adminUsers} replace />
    </PermissionGate>
  )
}
