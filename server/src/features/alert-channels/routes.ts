/** Routes for the alert channels of an organisation, and of a person in it. */
import { alertChannels, ownAlertChannels } from '@tributary/contract/alert-channels'
import type { AppRoutes } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { listChannels } from './queries.ts'
import { addChannel, type ChannelCall, changeChannel, chooseMail, removeChannel } from './save-channel.ts'
import { testChannel, testMail } from './send-test.ts'

export function alertChannelRoutes(app: AppRoutes): void {
  mountChannels(app, alertChannels, () => null)
  mountChannels(app, ownAlertChannels, ({ actor }) => actor.userId)
}

/** @param ownerOf null: the organisation */
function mountChannels(
  app: AppRoutes,
  routes: typeof alertChannels | typeof ownAlertChannels,
  ownerOf: (auditContext: CallerContext) => string | null,
): void {
  const { services } = app
  const toCall = (auditContext: CallerContext): ChannelCall => {
    const { actor, organisationId } = auditContext
    return { owner: { organisationId, userId: ownerOf(auditContext), actor }, auditContext }
  }

  app.bindWithin(routes.list, (db, { organisationId, auditContext }) =>
    listChannels(db, organisationId, toCall(auditContext).owner),
  )
  app.bind(routes.create, ({ auditContext, body }) => addChannel(services, toCall(auditContext), body))
  app.bind(routes.save, ({ auditContext, params, body }) =>
    changeChannel(services, toCall(auditContext), params.channelId, body),
  )
  app.bindWithin(routes.remove, (db, { auditContext, params }) =>
    removeChannel(db, services, toCall(auditContext), params.channelId),
  )
  app.bind(routes.test, ({ auditContext, params }) =>
    testChannel(services, toCall(auditContext).owner, params.channelId),
  )
  app.bindWithin(routes.saveMail, (db, { auditContext, body }) =>
    chooseMail(db, services, toCall(auditContext), body.choice),
  )
  app.bind(routes.testMail, ({ auditContext }) => testMail(services, toCall(auditContext).owner))
}
