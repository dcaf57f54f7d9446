/** What is held about a person, for the person and for who answers for them. */
import { privacy } from '@tributary/contract/privacy'
import type { AppRoutes } from '../../app-services.ts'
import { exportMember, exportPerson } from './export-personal-data.ts'

export function privacyRoutes(app: AppRoutes): void {
  const { services } = app
  app.bind(privacy.ownExport, ({ actor: { userId }, auditContext, query: { after } }) =>
    exportPerson(services, { userId, auditContext, after }),
  )
  app.bind(privacy.memberExport, ({ auditContext, params: { userId }, query: { after } }) =>
    exportMember(services, { auditContext, userId, after }),
  )
}
