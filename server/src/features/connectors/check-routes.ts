/** The calls that try a form's settings at the source before they are saved. */
import { connectors } from '@tributary/contract/connectors'
import { streams } from '@tributary/contract/streams'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { auditTest } from '../../security/audit/audit-credential-test.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { type ConnectorLocation, openReadable } from '../../connections/connectors/connector-settings.ts'
import { chooseTarget } from '../../connections/connectors/connector-types.ts'
import { rationCredentials } from '../../connections/databases/credential-test-limits.ts'
import { withOwnDatabase } from '../../connections/databases/database-credentials.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { lend, type Lent } from '../../connections/oauth/oauth.ts'
import { signedOut } from '../../connections/oauth/access-tokens.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { App, AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { checkConnection } from './test-connection.ts'
import { discoverTables } from './discover-tables.ts'
import type { Input } from './settings-form.ts'
import { accept, type Accepted } from './accept-settings.ts'
import { usersProperty } from './replies.ts'

export function checkRoutes(app: App): void {
  const { services } = app

  app.bind(connectors.check, async (call) => {
    const accepted = await readForm(call, call.body.properties)
    const whole = await call.store.within(call.organisationId, (db) => whereRowsGo(db, call, accepted))
    return auditTest(services, testOf(call), () => checkConnection(services, whole, () => lendTo(call), call.signal))
  })

  /** The form may name no target: then the organisation's own database is tested, where it has one. */
  async function whereRowsGo(db: Db, { organisationId, body }: FormCall, accepted: Accepted): Promise<Accepted> {
    const { type: connectorKey, connectorId } = body
    const properties = await withOwnDatabase(
      db,
      services.secrets,
      { organisationId, connectorKey, connectorId },
      accepted.properties,
    )
    return { ...accepted, properties, target: chooseTarget(properties) }
  }

  app.bind(streams.discover, async (call) => {
    // Where the rows go is another matter, and may not be filled in yet.
    const ofSource = call.body.properties.filter(({ name }) => !name.startsWith('target.'))
    const accepted = await readForm(call, ofSource)
    return auditTest(services, testOf(call), () => discoverTables(services, accepted, () => lendTo(call), call.signal))
  })

  function testOf({ auditContext, body: { type, connectorId } }: FormCall) {
    return {
      auditContext,
      event: { action: 'connector.credentials_tested', object: { type: 'connector', id: connectorId ?? type } },
    } as const
  }

  async function lendTo({ store, organisationId, body: { type, connectorId } }: FormCall): Promise<Lent> {
    if (connectorId !== undefined)
      return store.within(organisationId, (db) => lend(db, services.oauth, { organisationId, connectorId, type }))
    if (isAuthorised(type)) throw signedOut(services.oauth.types.get(type)?.authorising.title)
    return { properties: {}, around: {} }
  }

  async function readForm(call: FormCall, inputs: readonly Input[]) {
    await rationCredentials(services, call)
    const { store, organisationId } = call
    const { type, connectorId } = call.body
    return store.within(organisationId, async (db) => {
      const stored = connectorId === undefined ? {} : await storedSettings(db, { organisationId, connectorId }, type)
      return accept(stored, { type, inputs: inputs.filter(({ name }) => name !== usersProperty), others: 'stay' })
    })
  }

  /** What the form's mask stands for. Another type would offer the secret to a server in another way than it was entered for. */
  async function storedSettings(db: Db, place: ConnectorLocation, type: string): Promise<ConnectorProperties> {
    const connector = await lockConnector(db, place.organisationId, place.connectorId)
    if (connector === undefined) throw new ApiFault('notFound')
    if (connector.type !== type)
      throw badField('type', `must be ${connector.type}: the type of a connector never changes`)
    return openReadable(db, services.secrets, place)
  }
}

interface FormCall extends Pick<AppServices, 'store'> {
  readonly actor: Actor
  readonly organisationId: string
  readonly auditContext: AuditContext<string, Actor>
  readonly body: { readonly type: string; readonly connectorId?: string | undefined }
}
