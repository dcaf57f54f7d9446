/** The organisation's own targets, and their logins for reading. An organisation that only shares a connector has none of it. */
import { may } from '@tributary/contract/capabilities'
import type { QueryTarget } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import type { TargetReading } from '@tributary/engine/ports/target-reader'
import { decryptReadableSettings, decryptSettings } from '../../connections/connectors/connector-settings.ts'
import { chooseTarget } from '../../connections/connectors/connector-types.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import { applyDefaultTarget } from '../../connections/databases/database-credentials.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listOwnConnectors, listReadingLogins, type OwnConnector } from './queries.ts'

/** A target with its settings in plain text, which contain the password of the login that loads: keep them briefly. */
export interface OpenedTarget {
  readonly connector: OwnConnector
  readonly reading: TargetReading
  readonly settings: unknown
  readonly address: string
}

/** Throws `notFound` for a connector that loads the warehouse or a target without queries, and for one of another organisation, and `targetTablesOnly`. */
export async function getOwnTarget(
  db: Db,
  organisationId: string,
  secrets: Secrets,
  connectorId: string,
): Promise<OpenedTarget> {
  const connector = (await listOwnConnectors(db, organisationId)).find(({ id }) => id === connectorId)
  if (connector !== undefined) await requireSqlTarget(db, { organisationId, connectorId }, 'queries')
  const opened = connector === undefined ? null : await resolveTarget(db, organisationId, secrets, { connector })
  if (opened === null) throw notFound()
  return opened
}

export async function listQueryTargets(
  db: Db,
  organisationId: string,
  secrets: Secrets,
): Promise<Camel<QueryTarget>[]> {
  const logins = await listReadingLogins(db, organisationId)
  const targets = []
  for (const connector of await listOwnConnectors(db, organisationId)) {
    const opened = await resolveTarget(db, organisationId, secrets, { connector, omitsProblems: true })
    if (opened === null) continue
    const { reading, settings, address } = opened
    const stored = logins.get(connector.id)
    const login =
      stored === undefined
        ? null
        : { user: stored.userName, savedAtUtc: stored.savedAt, isForTarget: stored.address === address }
    targets.push({
      connectorId: connector.id,
      name: connector.name,
      dialect: reading.dialect,
      login,
      instructions: reading.instructions(settings),
    })
  }
  return targets
}

/** Those that the person may query now. */
export async function listOpenTargets(db: Db, organisationId: string, secrets: Secrets, { roleLevel }: Actor) {
  if (!may(roleLevel, 'queryTargets')) return []
  const targets = await listQueryTargets(db, organisationId, secrets)
  return targets.filter(({ login }) => login?.isForTarget === true)
}

/** Null for the warehouse, and for a target without queries. Settings that are incomplete or unreadable throw, or the connector is omitted. */
async function resolveTarget(
  db: Db,
  organisationId: string,
  secrets: Secrets,
  { connector, omitsProblems = false }: { readonly connector: OwnConnector; readonly omitsProblems?: boolean },
): Promise<OpenedTarget | null> {
  const location = { organisationId, connectorId: connector.id }
  try {
    const read = omitsProblems ? decryptReadableSettings : decryptSettings
    const own = await read(db, secrets, location)
    const properties = await applyDefaultTarget(db, secrets, { ...location, connectorKey: connector.key }, own)
    const target = chooseTarget(properties)
    if (target === null || target.reading === null) return null
    const { reading } = target
    const settings = target.parse(properties)
    return { connector, reading, settings, address: reading.addressOf(settings) }
  } catch (error) {
    if (omitsProblems && !(error instanceof ApiFault)) return null
    throw error
  }
}
