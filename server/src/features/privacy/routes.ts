/** What is held about a person, for the person and for who answers for them. */
import { privacy } from '@tributary/contract/privacy'
import type { App } from '../../parts.ts'
import { exportMember, exportPerson } from './export-personal-data.ts'

export function privacyRoutes(app: App): void {
  const { parts } = app
  app.bind(privacy.ownExport, ({ actor: { userId }, origin, query: { after } }) =>
    exportPerson(parts, { userId, origin, after }),
  )
  app.bind(privacy.memberExport, ({ actor, organisationId, origin, params: { userId }, query: { after } }) =>
    exportMember(parts, { actor, organisationId, origin, userId, after }),
  )
}
