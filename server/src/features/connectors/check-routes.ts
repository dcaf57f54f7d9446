/** Routes that test a form's settings before they are saved. */
import { connectors } from '@tributary/contract/connectors'
import { streams } from '@tributary/contract/streams'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { auditCredentialTest } from '../../security/audit/audit-credential-test.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { type ConnectorLocation, decryptReadableSettings } from '../../connections/connectors/connector-settings.ts'
import { chooseTarget } from '../../connections/connectors/connector-types.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { applyDefaultTarget } from '../../connections/databases/database-credentials.ts'
import { lakeFolderOf } from '../../connections/databases/lake-folder.ts'
import { badField, requireFound } from '../../kernel/http/api-fault.ts'
import { provideCredentials, type SourceCredentials } from '../../connections/oauth/oauth.ts'
import { signedOutFault } from '../../connections/oauth/access-tokens.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { checkConnection } from './test-connection.ts'
import { discoverTables } from './discover-tables.ts'
import type { PropertyInput } from './settings-form.ts'
import { acceptSettings, type AcceptedSettings } from './accept-settings.ts'
import { usersProperty } from './replies.ts'

export function checkRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(connectors.check, async (call) => {
    const accepted = await readForm(call, call.body.properties)
    const settings = await call.store.within(call.organisationId, (db) => withTarget(db, call, accepted))
    const lakeFolder = lakeFolderOf(services.config, call.organisationId)
    return auditCredentialTest(services, testOf(call), () =>
      checkConnection(services, { ...settings, lakeFolder }, () => credentialsFor(call), call.signal),
    )
  })

  /** A form without a target tests the organisation's own database, if it has one. */
  async function withTarget(
    db: Db,
    { organisationId, body }: FormCall,
    accepted: AcceptedSettings,
  ): Promise<AcceptedSettings & { readonly organisationId: string }> {
    const { type: connectorKey, connectorId } = body
    const properties = await applyDefaultTarget(
      db,
      services.secrets,
      { organisationId, connectorKey, connectorId },
      accepted.properties,
    )
    return { ...accepted, organisationId, properties, target: chooseTarget(properties) }
  }

  app.bind(streams.discover, async (call) => {
    // The target is irrelevant here, and may not be filled in yet.
    const ofSource = call.body.properties.filter(({ name }) => !name.startsWith('target.'))
    const accepted = await readForm(call, ofSource)
    return auditCredentialTest(services, testOf(call), () =>
      discoverTables(services, accepted, () => credentialsFor(call), call.signal),
    )
  })

  async function credentialsFor({
    store,
    organisationId,
    body: { type, connectorId },
  }: FormCall): Promise<SourceCredentials> {
    if (connectorId !== undefined)
      return store.within(organisationId, (db) =>
        provideCredentials(db, services.oauth, { organisationId, connectorId, type }),
      )
    if (isAuthorised(type)) throw signedOutFault(services.oauth.types.get(type)?.oauth.title)
    return { properties: {}, context: {} }
  }

  async function readForm(call: FormCall, inputs: readonly PropertyInput[]) {
    await countCredentialTest(services, call)
    const { store, organisationId } = call
    const { type, connectorId } = call.body
    return store.within(organisationId, async (db) => {
      const stored = connectorId === undefined ? {} : await storedSettings(db, { organisationId, connectorId }, type)
      const settings = inputs.filter(({ name }) => name !== usersProperty)
      return acceptSettings(stored, { type, inputs: settings, others: 'stay' })
    })
  }

  /** The stored settings behind the form's mask. Refuses another type, whose server would receive the secret. */
  async function storedSettings(db: Db, place: ConnectorLocation, type: string): Promise<ConnectorProperties> {
    const connector = requireFound(await lockConnector(db, place))
    if (connector.type !== type)
      throw badField('type', `must be ${connector.type}: the type of a connector never changes`)
    return decryptReadableSettings(db, services.secrets, place)
  }
}

interface FormCall extends Pick<AppServices, 'store'> {
  readonly actor: Actor
  readonly organisationId: string
  readonly auditContext: CallerContext
  readonly body: { readonly type: string; readonly connectorId?: string | undefined }
}

function testOf({ auditContext, body: { type, connectorId } }: FormCall) {
  return {
    auditContext,
    event: { action: 'connector.credentials_tested', object: { type: 'connector', id: connectorId ?? type } },
  } as const
}
