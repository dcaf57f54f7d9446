/** Values by field name. A schema says that a field is text, but not that it is a password. */
import { settings } from '@tributary/contract/global-configuration'
import { roleIdOf, statusIds } from '../../server/app/fixed-ids.ts'
import type { Random } from '@tributary/sims/random'
import { trialPassword, trialPeople } from '../../../server/src/trial/people.ts'
import type { ApiOperation } from './description.ts'
import { kindOf, type Pools } from './pools.ts'
import type { JsonSchema } from './schema.ts'

const newPassword = 'a-good-one-77'
/** Secrets that no response may contain. */
export const canaries = [
  'canary-superuser-password',
  'canary-source-password',
  'canary-app-secret',
  newPassword,
  trialPassword,
] as const

export interface CallContext {
  readonly operation: ApiOperation
  readonly organisationId: string
  /** An organisation that the caller may not access; the call uses some of its ids. */
  readonly foreignId: string | null
  /** The foreign ids that the call uses. */
  readonly named: Set<string>
  readonly pools: Pools
  readonly random: Random
  readonly fixed: FuzzFixtures
}

/** Fixtures shared by all calls. */
export interface FuzzFixtures {
  /** Connection settings of an existing database. */
  readonly source: Readonly<Record<string, unknown>>
  readonly keys: readonly string[]
  captcha: string
  serial: number
}

export function generateNamedValue(name: string, schema: JsonSchema, context: CallContext): unknown {
  if (schema.format === 'uuid') return idFor(name, context)
  const { random } = context
  const make = byName[name]
  if (make !== undefined) return make(context)
  const word = isText(schema) && random.next() < 0.7 ? context.pools.word(random, name) : undefined
  return word
}

function isText({ type }: JsonSchema): boolean {
  return type === 'string'
}

const organisationNames = new Set(['orgId', 'organisationId', 'comOrganisationId', 'clientId', 'organisations'])

function idFor(name: string, context: CallContext): string | undefined {
  const { random, pools, foreignId, named } = context
  if (name === 'roleId') return roleIdOf(random.pick(['admin', 'user', 'guest', 'superadmin']))
  if (name === 'statusId') return random.pick(Object.values(statusIds))
  const isForeign = foreignId !== null && random.next() < 0.5
  const organisationId = isForeign ? foreignId : context.organisationId
  const id = organisationNames.has(name)
    ? organisationId
    : pools.id(random, organisationId, kindFor(name, context.operation))
  const found = id ?? (random.next() < 0.3 ? pools.anyId(random, organisationId) : undefined)
  if (isForeign && found !== undefined) named.add(found)
  return found
}

/** The kind of `id` and `ids` is the last segment of the path. */
function kindFor(name: string, { path }: ApiOperation): string {
  if (name !== 'id' && name !== 'ids') return kindOf(name)
  return kindOf(subjectOf(path))
}

export function subjectOf(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
}

const zones = ['Europe/Berlin', 'UTC', 'Pacific/Chatham', 'America/St_Johns', 'Nowhere/Else']
const times = ['0 6 * * 1-5', '*/5 * * * *', '0 0 31 2 *', '@hourly', '61 * * * *', '']
const types = ['postgres', 'postgres', 'postgres', 'mysql', 'sqlserver', 'xero', 'cin7', 'uniconta', 'nothing']
/** Local or non-existent hosts, because no call may leave the machine. */
const hosts = ['127.0.0.1', 'localhost', 'db.invalid', '[::1]', '0.0.0.0', '169.254.169.254']

const byName: Readonly<Record<string, (context: CallContext) => unknown>> = {
  emailAddress: ({ random, fixed }) => {
    fixed.serial += 1
    return random.next() < 0.6 ? `user-${fixed.serial}@fuzz.example` : random.pick(trialPeople).emailAddress
  },
  password: ({ operation }) =>
    /^\/me|signin/u.test(operation.path) && operation.path !== '/me/password' ? trialPassword : newPassword,
  currentPassword: () => trialPassword,
  timeZone: ({ random }) => random.pick(zones),
  schedule: ({ random }) => random.pick(times),
  cron: ({ random }) => random.pick(times),
  recaptchaToken: ({ fixed }) => fixed.captcha,
  type: ({ random, operation }) =>
    operation.path.includes('connectors') || operation.path.includes('oauth-apps') ? random.pick(types) : undefined,
  key: ({ random }) => random.pick(Object.keys(settings)),
  properties: (context) => settingsFor(context),
  creds: (context) => ({
    host: hostFor(context),
    database: 'plan',
    schema: 'plan',
    user: 'reader',
    password: 'canary-source-password',
  }),
  host: (context) => hostFor(context),
  url: ({ random }) => random.pick(['https://127.0.0.1:9/there', 'https://hooks.invalid/there']),
  clientSecret: () => 'canary-app-secret',
  clientKey: ({ random, fixed }) => random.pick(fixed.keys),
  connectorKey: ({ random, pools, organisationId }) => pools.word(random, `key ${organisationId}`),
  provider: ({ random }) => random.pick(['microsoft', 'google', 'unknown']),
  name: ({ random, operation }) =>
    operation.path.includes('/properties/')
      ? random.pick(['target.schema', 'source.connectionString', 'x'])
      : undefined,
  number: ({ random }) => random.between(1, 3),
  licences: ({ random }) => random.pick([['Base'], ['Extra'], [], ['Base', 'Extra']]),
  columns: ({ random }) => random.pick([['Amount'], ['Amount', 'Note'], ['', ' '], ['Amount', 'amount']]),
  value: ({ random, operation }) =>
    operation.path.includes('globalconfiguration') ? random.pick(['true', 'false', '1']) : undefined,
}

function hostFor({ random, fixed }: CallContext): string {
  return random.next() < 0.4 ? `127.0.0.1:${String(fixed.source['port'])}` : random.pick(hosts)
}

function settingsFor({ random, fixed }: CallContext): readonly { readonly name: string; readonly value: unknown }[] {
  const value =
    random.next() < 0.7
      ? fixed.source
      : { ...fixed.source, host: random.pick(hosts), password: 'canary-source-password' }
  const schema = { name: 'target.schema', value: random.pick(['shop', 'Odd "name"', '', 'public', 'q'.repeat(64)]) }
  return random.pick([
    [{ name: 'source.connectionString', value }],
    [{ name: 'source.connectionString', value }, schema],
    [schema],
    [],
  ])
}
