/** Routes of access tokens and service accounts. */
import { organisationTokens, type TokenPolicy, tokens } from '@tributary/contract/tokens'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { createToken, renewToken } from './create-token.ts'
import {
  findServiceAccount,
  listOwnTokensEverywhere,
  listServiceAccounts,
  listTokens,
  readOwnPolicy,
  savePolicy,
} from './queries.ts'
import { revokeAllOwn, revokeAsAdministrator, revokeOwn } from './revoke-tokens.ts'
import { addServiceAccount } from './service-accounts.ts'

export function tokenRoutes(app: AppRoutes): void {
  ownRoutes(app)
  organisationRoutes(app)
  serviceAccountRoutes(app)
}

function ownRoutes(app: AppRoutes): void {
  const { services } = app

  // Across: a person’s tokens may belong to several organisations.
  app.bind(tokens.list, ({ store, actor }) => store.across((db) => listOwnTokensEverywhere(db, actor.userId)))
  app.bind(tokens.create, ({ actor, auditContext, body: { name, scopes, days } }) =>
    createToken(services, auditContext, { name, scopes, days, owner: { id: actor.userId, kind: 'person' } }),
  )
  app.bind(tokens.revoke, ({ auditContext, params }) => revokeOwn(services, auditContext, params.accessTokenId))
  app.bind(tokens.revokeAll, ({ auditContext }) => revokeAllOwn(services, auditContext))
}

function organisationRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(organisationTokens.list, (db, { organisationId }) => listTokens(db, organisationId))
  app.bindWithin(organisationTokens.policy, (db, { organisationId }) => readPolicy(services, db, organisationId))
  app.bindWithin(organisationTokens.setPolicy, async (db, { organisationId, auditContext, body: { allowed } }) => {
    if (await savePolicy(db, organisationId, allowed))
      await services.audit.record(db, auditContext, { action: 'api_token.policy_changed', detail: { after: allowed } })
    return readPolicy(services, db, organisationId)
  })
  app.bind(organisationTokens.revoke, ({ auditContext, params }) =>
    revokeAsAdministrator(services, auditContext, params.accessTokenId),
  )
}

function serviceAccountRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(organisationTokens.serviceAccounts, (db, { organisationId }) =>
    listServiceAccounts(db, organisationId),
  )
  app.bind(organisationTokens.addServiceAccount, ({ auditContext, body }) =>
    addServiceAccount(services, auditContext, body),
  )
  app.bind(
    organisationTokens.createForServiceAccount,
    async ({ store, organisationId, auditContext, params, body }) => {
      const { id } = requireFound(
        await store.within(organisationId, (db) => findServiceAccount(db, organisationId, params.serviceAccountId)),
      )
      return createToken(services, auditContext, { ...body, owner: { id, kind: 'service' } })
    },
  )
  app.bind(organisationTokens.renew, ({ auditContext, params: { accessTokenId: tokenId }, body: { days } }) =>
    renewToken(services, auditContext, { tokenId, days }),
  )
}

async function readPolicy(
  { settings }: Pick<AppServices, 'settings'>,
  db: Db,
  organisationId: string,
): Promise<Camel<TokenPolicy>> {
  const { AccessTokens: allowedByProvider } = await settings.read()
  return { ...(await readOwnPolicy(db, organisationId)), allowedByProvider }
}
