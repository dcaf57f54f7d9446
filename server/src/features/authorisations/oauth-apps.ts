/** Apps at sources: the provider's, and those that organisations bring themselves. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { Camel } from '@tributary/contract/wire'
import { randomUUID } from 'node:crypto'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { findOrganisationApp, appSecretLocation } from '../../connections/oauth/grants.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { OauthAppKeys, AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface KnownApp {
  /** Null: the provider's. */
  readonly appId: string | null
  readonly keys: OauthAppKeys
}

interface Wanted {
  readonly organisationId: string
  readonly type: AuthorisedType
  readonly app: 'provider' | 'own'
}

/** The app that people of the organisation authorise; undefined where there is none. */
export async function findAppKeys(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  { organisationId, type, app }: Wanted,
): Promise<KnownApp | undefined> {
  if (app === 'provider') return type.operatorApp === null ? undefined : { appId: null, keys: type.operatorApp }
  const own = await db
    .selectFrom('oauthApp')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('type', '=', type.type)
    .where('kind', '=', 'app')
    .executeTakeFirst()
  return own === undefined ? undefined : findKeysOf(db, secrets, own.id)
}

/** The keys of a trip's app as they are now. */
export async function findKeysOfTrip(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  type: AuthorisedType,
  appId: string | null,
): Promise<KnownApp | undefined> {
  if (appId !== null) return findKeysOf(db, secrets, appId)
  return type.operatorApp === null ? undefined : { appId, keys: type.operatorApp }
}

async function findKeysOf(db: Db, secrets: Secrets, appId: string): Promise<KnownApp | undefined> {
  const own = await findOrganisationApp(db, secrets, appId)
  return own === undefined ? undefined : { appId, keys: own }
}

/** By type, with how many connectors sign in through each. */
export async function listApps(db: Db, organisationId: string, appId?: string): Promise<Camel<OauthApp>[]> {
  return db
    .selectFrom('oauthApp')
    .leftJoin('oauthGrant', 'oauthGrant.appId', 'oauthApp.id')
    .leftJoin('connectorTenant', 'connectorTenant.grantId', 'oauthGrant.id')
    .select([
      'oauthApp.id',
      'oauthApp.type',
      'oauthApp.kind',
      'oauthApp.clientId',
      'oauthApp.createdAt as createdAtUtc',
    ])
    .select(({ fn }) => fn.count<number>('connectorTenant.connectorId').as('connectors'))
    .where('oauthApp.organisationId', '=', organisationId)
    .$if(appId !== undefined, (query) => query.where('oauthApp.id', '=', appId ?? ''))
    .groupBy('oauthApp.id')
    .orderBy('oauthApp.type')
    .orderBy('oauthApp.createdAt')
    .execute()
}

export interface NewApp {
  readonly type: string
  readonly kind: 'app' | 'machine'
  readonly clientId: string
  readonly clientSecret: string
}

/** The same client id again is the same app with another secret. Another app in the place of one that is used is refused. Answers its id. */
export async function keepApp(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: AuditContext<string, Actor>,
  app: NewApp,
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
    throw wrongApp('This client id is entered already, as an app of the other kind. Remove that one first.')
  if (kind === 'app' && known.some((one) => one.kind === 'app' && one !== same))
    throw wrongApp(
      'The organisation has an app of its own already. Remove that one first, or enter its client id to change the secret.',
    )
  const id = same?.id ?? randomUUID()
  const clientSecret = await services.secrets.encrypt(db, appSecretLocation(organisationId, id), app.clientSecret)
  await db
    .insertInto('oauthApp')
    .values({ id, organisationId, type, kind, clientId, clientSecret, createdBy: actor.userId })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ clientSecret }))
    .execute()
  const action = same === undefined ? 'oauth_app.added' : 'oauth_app.secret_changed'
  await services.audit.record(db, auditContext, {
    action,
    outcome: 'success',
    object: { type: 'oauth_app', id },
    detail: { type, kind },
  })
  return id
}

function wrongApp(detail: string): ApiFault {
  return new ApiFault('settingsWrong', { values: { detail }, fields: { clientId: detail } })
}

/** Whether connectors sign in by it, whosever. In a transaction across. */
export async function isUsedAnywhere(db: Db, appId: string): Promise<boolean> {
  const found = await db
    .selectFrom('connectorTenant')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'connectorTenant.grantId')
    .select('connectorId')
    .where('oauthGrant.appId', '=', appId)
    .executeTakeFirst()
  return found !== undefined
}

interface Removal {
  readonly appId: string
  readonly isUsed: boolean
}

/** Its grants go with it. Throws `appInUse`, `notFound`. */
export async function removeApp(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { appId, isUsed }: Removal,
): Promise<void> {
  const { organisationId } = auditContext
  const [app] = await listApps(db, organisationId, appId)
  if (app === undefined) throw new ApiFault('notFound')
  if (isUsed) throw new ApiFault('appInUse')
  await db.deleteFrom('oauthApp').where('organisationId', '=', organisationId).where('id', '=', appId).execute()
  const object = { type: 'oauth_app', id: appId }
  await audit.record(db, auditContext, { action: 'oauth_app.removed', outcome: 'success', object })
}
