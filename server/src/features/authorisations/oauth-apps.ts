/** OAuth apps at sources: the provider's, and those that organisations register themselves. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import { randomUUID } from 'node:crypto'
import { ApiFault, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import { findOrganisationApp, appSecretLocation } from '../../connections/oauth/grants.ts'
import type { CallerContext, OrganisationContext } from '../../kernel/audit-context.ts'
import type { OauthAppKeys, AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface UsableOauthApp {
  /** Null for the provider's app. */
  readonly appId: string | null
  readonly keys: OauthAppKeys
}

interface OauthAppQuery {
  readonly organisationId: string
  readonly type: AuthorisedType
  readonly app: 'provider' | 'own'
}

/** The app that users of the organisation authorise; undefined if it does not exist. */
export async function findAppKeys(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  { organisationId, type, app }: OauthAppQuery,
): Promise<UsableOauthApp | undefined> {
  if (app === 'provider') return type.operatorApp === null ? undefined : { appId: null, keys: type.operatorApp }
  const own = await db
    .selectFrom('oauthApp')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('type', '=', type.type)
    .where('kind', '=', 'app')
    .executeTakeFirst()
  return own === undefined ? undefined : findOwnAppKeys(db, secrets, own.id)
}

/** The current keys of a flow's app; they may have changed since the flow began. */
export async function findFlowAppKeys(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  type: AuthorisedType,
  appId: string | null,
): Promise<UsableOauthApp | undefined> {
  if (appId !== null) return findOwnAppKeys(db, secrets, appId)
  return type.operatorApp === null ? undefined : { appId, keys: type.operatorApp }
}

async function findOwnAppKeys(db: Db, secrets: Secrets, appId: string): Promise<UsableOauthApp | undefined> {
  const own = await findOrganisationApp(db, secrets, appId)
  return own === undefined ? undefined : { appId, keys: own }
}

/** Sorted by type. `connectors` is the number of connectors that use the app. */
export async function listApps(db: Db, organisationId: string, appId?: string): Promise<Camel<OauthApp>[]> {
  return db
    .selectFrom('oauthApp')
    .leftJoin('oauthGrant', 'oauthGrant.appId', 'oauthApp.id')
    .leftJoin('connectorCompany', 'connectorCompany.grantId', 'oauthGrant.id')
    .select([
      'oauthApp.id',
      'oauthApp.type',
      'oauthApp.kind',
      'oauthApp.clientId',
      'oauthApp.createdAt as createdAtUtc',
    ])
    .select(({ fn }) => fn.count<number>('connectorCompany.connectorId').distinct().as('connectors'))
    .where('oauthApp.organisationId', '=', organisationId)
    .$if(appId !== undefined, (query) => query.where('oauthApp.id', '=', appId ?? ''))
    .groupBy('oauthApp.id')
    .orderBy('oauthApp.type')
    .orderBy('oauthApp.createdAt')
    .execute()
}

export interface NewOauthApp {
  readonly type: string
  readonly kind: 'app' | 'machine'
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Adds an app, or changes the secret of the one with the same client id. An organisation has at most one app of kind
 * `app` per type.
 *
 * @returns the app's id.
 * @throws `settingsWrong`.
 */
export async function saveApp(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: CallerContext,
  app: NewOauthApp,
): Promise<string> {
  const { organisationId, actor } = auditContext
  const { type, kind, clientId } = app
  const known = await db
    .selectFrom('oauthApp')
    .select(['id', 'kind', 'clientId'])
    .where('organisationId', '=', organisationId)
    .where('type', '=', type)
    .forUpdate()
    .execute()
  const same = known.find((one) => one.clientId === clientId)
  if (same !== undefined && same.kind !== kind)
    throw invalidApp('This client id already belongs to an app of the other kind. Remove that one first.')
  if (kind === 'app' && known.some((one) => one.kind === 'app' && one !== same))
    throw invalidApp(
      'The organisation already has its own app. Remove that one first, or enter its client id to change the secret.',
    )
  const id = same?.id ?? randomUUID()
  const clientSecret = await services.secrets.encrypt(db, appSecretLocation(organisationId, id), app.clientSecret)
  await db
    .insertInto('oauthApp')
    .values({ id, organisationId, type, kind, clientId, clientSecret, createdBy: actor.userId })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ clientSecret }))
    .execute()
  const action = same === undefined ? 'oauth_app.added' : 'oauth_app.secret_changed'
  await services.audit.record(db, auditContext, { action, object: { type: 'oauth_app', id }, detail: { type, kind } })
  return id
}

function invalidApp(detail: string): ApiFault {
  return detailedFault('settingsWrong', detail, { fields: { clientId: detail } })
}

/** Whether a connector of any organisation uses the app. Runs in a transaction across. */
export async function isAppUsedEverywhere(db: Db, appId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorCompany')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'connectorCompany.grantId')
    .select('connectorId')
    .where('oauthGrant.appId', '=', appId)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Also deletes the app's grants.
 *
 * @throws `appInUse`, `notFound`.
 */
export async function removeApp(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { appId, isUsed }: { readonly appId: string; readonly isUsed: boolean },
): Promise<void> {
  const { organisationId } = auditContext
  const [app] = await listApps(db, organisationId, appId)
  const { type, kind } = requireFound(app)
  if (isUsed) throw new ApiFault('appInUse')
  await db.deleteFrom('oauthApp').where('organisationId', '=', organisationId).where('id', '=', appId).execute()
  const object = { type: 'oauth_app', id: appId }
  await audit.record(db, auditContext, { action: 'oauth_app.removed', object, detail: { type, kind } })
}
