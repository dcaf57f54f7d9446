/** Renders its children for signed-in users and sends visitors to the sign-in page, which leads back. */
import { Navigate, Outlet, useLocation } from 'react-router'
import { useIdentity } from '../api/session/session.ts'
import { paths } from '../paths.ts'

export function Gate() {
  const identity = useIdentity()
  const { pathname, search } = useLocation()
  if (identity === null) return <Navigate to={`/?returnUrl=${encodeURIComponent(`${pathname}${search}`)}`} replace />
  if (identity.mustChangePassword) return <Navigate to={paths.ownPassword(`${pathname}${search}`)} replace />
  return <Outlet />
}
