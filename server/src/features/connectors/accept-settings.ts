/** Storing what a person entered: merged with what is there, checked by the source and the target, sealed. */
import type { ConnectorProperties, Source } from '@tributary/engine/ports/source'
import { Fault } from '@tributary/engine/ports/faults'
import type { ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import type { Target } from '@tributary/engine/ports/target'
import { chooseTarget, findSource, targets } from '../../connections/connectors/connector-types.ts'
import { type ConnectorLocation, openReadable, writeSettings } from '../../connections/connectors/connector-settings.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { withAnyTenant } from '../../connections/oauth/authorised-types.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  applyInput,
  fieldsOf,
  type FormField,
  type Input,
  requireFilled,
  requireReadable,
  requireSecrets,
  schemaProperty,
  wrong,
} from './settings-form.ts'

/** What a form comes to: settings in clear that both sides accept. */
export interface Accepted {
  readonly properties: ConnectorProperties
  readonly source: Source
  /** Null: the product's own warehouse. */
  readonly target: Target | null
  readonly fields: readonly FormField[]
}

export interface Change {
  readonly type: string
  readonly inputs: readonly Input[]
  readonly others: 'stay' | 'go'
}

/** Throws `settingsWrong`, `secretNeeded` or `secretUnreadable`, naming the fields. @param stored in clear; empty for a new connector. */
export function accept(stored: ConnectorProperties, { type, inputs, others }: Change): Accepted {
  const source = findSource(type)
  if (source === undefined)
    throw badField('type', 'must be a connector type of the catalogue that connectors are made of')
  const entered = Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
  const target = asked(() => chooseTarget({ ...(others === 'stay' ? stored : {}), ...entered }))
  const fields = [
    ...fieldsOf('source', source.sections),
    ...(target === null ? [] : fieldsOf('target', [targetSection(target)])),
  ]
  const properties = applyInput(fields, stored, target === null ? inputs.map(withoutKind) : inputs, others)
  requireSecrets(fields, stored, properties, inputs)
  requireReadable(fields, properties)
  requireFilled(fields, properties)
  asked(() => source.parse(withAnyTenant(type, source.oauth, properties)))
  if (target === null) requireSchemaName(properties)
  else asked(() => target.parse(properties))
  return { properties, source, target, fields }
}

/** A connection that says nothing but its kind names no target. */
function withoutKind({ name, value }: Input): Input {
  return { name, value: name === 'target.connectionString' && typeof value === 'object' ? null : value }
}

/** Beside the target's own fields stands its kind; another kind is another address, so it asks for the secret again. */
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

/** Source or target may know better than the form: an id that has the wrong shape, two fields that exclude each other. */
function asked<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const fields = error.field === undefined ? {} : { fields: { [error.field]: error.notice } }
    throw new ApiFault('settingsWrong', { values: { detail: error.notice }, ...fields, cause: error })
  }
}

/** In the warehouse a schema has a name that a report can write without quotes, and none of PostgreSQL's own. */
function requireSchemaName(properties: ConnectorProperties): void {
  const name = properties[schemaProperty]
  if (
    name === undefined ||
    (typeof name === 'string' && /^(?!pg_|public$|information_schema$)[a-z_][a-z0-9_]{0,62}$/.test(name))
  )
    return
  throw wrong(
    schemaProperty,
    'The schema is named with small letters, digits and underscores, beginning with a letter; public and names with pg_ are taken.',
  )
}

export async function changeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
  change: Change,
): Promise<void> {
  const accepted = accept(await openReadable(db, secrets, place), change)
  await storeSettings(db, secrets, place, accepted)
}

export async function storeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
  { properties, fields }: Accepted,
): Promise<void> {
  const hidden = new Set(
    fields.filter(({ field }) => field.kind === 'secret').map(({ property, key }) => `${property}\n${key}`),
  )
  await writeSettings(db, secrets, place, { properties, isSecret: (name, key) => hidden.has(`${name}\n${key}`) })
}
