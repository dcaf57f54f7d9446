/** Exports of personal data, for users themselves and for administrators. */
import { privacy } from '@tributary/contract/privacy'
import type { AppRoutes } from '../../app-services.ts'
import { exportMember, exportUser } from './export-personal-data.ts'

export function privacyRoutes(app: AppRoutes): void {
  const { services } = app
  app.bind(privacy.ownExport, ({ actor: { userId }, auditContext, query: { after } }) =>
    exportUser(services, { userId, auditContext, after }),
  )
  app.bind(privacy.memberExport, ({ auditContext, params: { userId }, query: { after } }) =>
    exportMember(services, { auditContext, userId, after }),
  )
}
