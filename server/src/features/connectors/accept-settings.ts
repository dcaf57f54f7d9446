/**
 * Merges entered settings with the stored ones, validates them with the source and the target, and encrypts their
 * secrets.
 */
import type { ConnectorProperties, Source } from '@tributary/engine/ports/source'
import { Fault } from '@tributary/engine/ports/faults'
import type { ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import type { Target } from '@tributary/engine/ports/target'
import { chooseTarget, findSource, targets } from '../../connections/connectors/connector-types.ts'
import {
  type ConnectorLocation,
  decryptReadableSettings,
  writeSettings,
} from '../../connections/connectors/connector-settings.ts'
import { updateConnector } from '../../connections/connectors/connector-queries.ts'
import { listUsedSqlFeatures } from '../../connections/connectors/tables-only.ts'
import type { CalledHosts } from '../../connections/host-approvals/request-hosts.ts'
import { badField, detailedFault } from '../../kernel/http/api-fault.ts'
import { withPlaceholderTenant } from '../../connections/oauth/authorised-types.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  applyInput,
  fieldsOf,
  type FormField,
  type PropertyInput,
  requireFilled,
  requireReadable,
  requireSecrets,
  schemaProperty,
  settingFault,
} from './settings-form.ts'

/** Settings in plain text that source and target accept. */
export interface AcceptedSettings {
  readonly properties: ConnectorProperties
  readonly source: Source
  /** Null for the product's own warehouse. */
  readonly target: Target | null
  readonly fields: readonly FormField[]
}

export interface SettingsChange {
  readonly type: string
  readonly inputs: readonly PropertyInput[]
  readonly others: 'stay' | 'go'
}

/** What a source that the customer has described calls; null for a source of the catalogue. */
export function calledHosts({ source, properties }: AcceptedSettings): CalledHosts | null {
  const { customer } = source
  if (customer === undefined) return null
  const settings = source.parse(properties)
  return { hosts: customer.hosts(settings), description: customer.text(settings) }
}

/**
 * Throws `settingsWrong`, `secretNeeded` or `secretUnreadable` with the fields. @param stored plain text; empty for a
 * new connector
 */
export function acceptSettings(
  stored: ConnectorProperties,
  { type, inputs, others }: SettingsChange,
): AcceptedSettings {
  const source = findSource(type)
  if (source === undefined) throw badField('type', 'must be a connector type of the catalogue')
  const entered = Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
  const target = toSettingsFault(() => chooseTarget({ ...(others === 'stay' ? stored : {}), ...entered }))
  const fields = [
    ...fieldsOf('source', source.sections),
    ...(target === null ? [] : fieldsOf('target', [targetSection(target)])),
  ]
  const properties = applyInput(fields, stored, target === null ? inputs.map(withoutKind) : inputs, others)
  requireSecrets(fields, stored, properties, {
    inputs,
    callsOtherHosts: callsOtherHosts(source, stored, properties),
  })
  requireReadable(fields, properties)
  requireFilled(fields, properties)
  toSettingsFault(() => source.parse(withPlaceholderTenant(type, source.oauth, properties)))
  if (target === null) requireSchemaName(properties)
  else toSettingsFault(() => target.parse(properties))
  return { properties, source, target, fields }
}

/** Settings that do not describe a source are refused later. */
function callsOtherHosts({ customer, parse }: Source, stored: ConnectorProperties, next: ConnectorProperties): boolean {
  if (customer === undefined || Object.keys(stored).length === 0) return false
  const hostsOf = (properties: ConnectorProperties): readonly string[] => {
    try {
      return customer.hosts(parse(properties))
    } catch {
      return []
    }
  }
  const former = hostsOf(stored)
  return hostsOf(next).some((host) => !former.includes(host))
}

/** A connection with nothing but its kind means no target. */
function withoutKind({ name, value }: PropertyInput): PropertyInput {
  return { name, value: name === 'target.connectionString' && typeof value === 'object' ? null : value }
}

/** Adds the kind to the target's own fields. Another kind is another address, so its secret must be entered again. */
function targetSection({ section, kind }: Target): ConnectorSettingsSection {
  const choices = targets.map((target) => ({ value: target.kind, label: target.title }))
  const field = {
    key: 'connector',
    label: 'Kind',
    kind: 'choice',
    required: false,
    initial: kind,
    choices,
    bindsSecret: true,
  } as const
  return { ...section, fields: [field, ...section.fields] }
}

/**
 * Converts faults of source or target that the form cannot check: a malformed id, two fields that exclude each other.
 */
function toSettingsFault<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const fields = error.field === undefined ? {} : { fields: { [error.field]: error.notice } }
    throw detailedFault('settingsWrong', error.notice, { ...fields, cause: error })
  }
}

/** A schema in the warehouse needs a name that reports can use unquoted and that PostgreSQL does not reserve. */
function requireSchemaName(properties: ConnectorProperties): void {
  const name = properties[schemaProperty]
  if (
    name === undefined ||
    (typeof name === 'string' && /^(?!pg_|public$|information_schema$)[a-z_][a-z0-9_]{0,62}$/.test(name))
  )
    return
  throw settingFault(
    schemaProperty,
    'Use lower-case letters, digits and underscores for the schema, and begin with a letter. The name public and names that begin with pg_ are reserved.',
  )
}

export async function changeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
  change: SettingsChange,
): Promise<AcceptedSettings> {
  const stored = await decryptReadableSettings(db, secrets, place)
  const accepted = acceptSettings(stored, change)
  if (accepted.target?.facts.storesTablesOnly === true) await requireNoSqlFeatures(db, place)
  await storeSettings(db, secrets, place, accepted)
  return accepted
}

/** A target that stores tables only cannot keep what the connector uses. */
async function requireNoSqlFeatures(db: Db, connector: ConnectorLocation): Promise<void> {
  const used = await listUsedSqlFeatures(db, connector)
  if (used.length === 0) return
  throw settingFault(
    'target.connectionString.connector',
    `A target of Iceberg stores tables only, and this connector uses ${used.join(', ')}. Switch that off first, or choose a SQL database.`,
  )
}

export async function storeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
  { properties, fields, target }: AcceptedSettings,
): Promise<void> {
  // A verification computes checksums by SQL. Every connector begins with a schedule for it.
  if (target?.facts.storesTablesOnly === true)
    await updateConnector(db, place, { verifySchedule: null, verifyNextAt: null })
  const hidden = new Set(
    fields.filter(({ field }) => field.kind === 'secret').map(({ property, key }) => `${property}\n${key}`),
  )
  await writeSettings(db, secrets, place, { properties, isSecret: (name, key) => hidden.has(`${name}\n${key}`) })
}
