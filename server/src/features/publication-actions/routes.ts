/** Routes for what happens after a publication. */
import { publicationActions } from '@tributary/contract/publication-actions'
import { sql } from 'kysely'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { dropWaitingRuns } from '../../connections/publications/after-publishing.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'
import { settingsWrong, webhookCallLimit } from '../../messaging/webhooks/webhook.ts'
import { deleteAction, getAction, getStoredAction, insertRun, listActions, listRuns } from './queries.ts'
import { addAction, changeAction } from './save-action.ts'
import { unreadableSecret } from './stored-action.ts'
import { openAction, testAction } from './take-step.ts'

export function publicationActionRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(publicationActions.list, (db, { organisationId }) => listActions(db, organisationId))
  app.bind(publicationActions.create, ({ auditContext, body }) => addAction(services, auditContext, body))
  app.bind(publicationActions.save, ({ auditContext, params, body }) =>
    changeAction(services, auditContext, params.actionId, body),
  )
  app.bindWithin(publicationActions.remove, async (db, { auditContext, params: { actionId } }) => {
    const { organisationId } = auditContext
    const name = await deleteAction(db, { organisationId, actionId })
    const object = { type: 'publication_action', id: actionId }
    await services.audit.record(db, auditContext, { action: 'publication_action.deleted', object, detail: { name } })
  })

  app.bind(publicationActions.test, async ({ store, organisationId, params: { actionId } }) => {
    const location = { organisationId, actionId }
    const action = await store.within(organisationId, async (db) =>
      openAction(db, services, { ...(await getStoredAction(db, location)), ...location }),
    )
    if (action === null) throw settingsWrong(unreadableSecret, 'secret')
    await services.throttle.attempt(webhookCallLimit, organisationId)
    const { outcome, notice } = await testAction(services, location, action)
    return { works: outcome === 'completed', notice }
  })

  app.bind(publicationActions.run, async ({ auditContext, organisationId, params: { actionId }, store }) => {
    const location = { organisationId, actionId }
    await store.within(organisationId, (db) => getAction(db, location))
    await services.throttle.attempt(webhookCallLimit, organisationId)
    return store.within(organisationId, (db) => startRun(db, services, auditContext, actionId))
  })

  app.bindWithin(publicationActions.runs, async (db, { organisationId, params: { actionId } }) => {
    await getAction(db, { organisationId, actionId })
    return listRuns(db, { organisationId, actionId })
  })
}

async function startRun(db: Db, { audit }: Pick<AppServices, 'audit'>, auditContext: CallerContext, actionId: string) {
  const { organisationId } = auditContext
  await dropWaitingRuns(db, organisationId, {
    where: sql`publicationAction.id = ${actionId} AND kind <> 'webhook'`,
    notice: 'A person started another run before it began.',
  })
  const run = await insertRun(db, { organisationId, actionId })
  const object = { type: 'publication_action', id: actionId }
  await audit.record(db, auditContext, { action: 'publication_action.started', object, detail: {} })
  return run
}
