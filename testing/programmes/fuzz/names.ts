/** What a field usually holds, by its name: a schema says that something is text, not that it is a password. */
import { settings } from '@tributary/contract/global-configuration'
import { roleIdOf, statusIds } from '../../server/app/fixed-ids.ts'
import type { Random } from '@tributary/sims/random'
import { trialPassword, trialPeople } from '../../../server/src/trial/people.ts'
import type { Operation } from './description.ts'
import { kindOf, type Pools } from './pools.ts'
import type { Schema } from './schema.ts'

const newPassword = 'a-good-one-77'
/** Looked for in every answer. */
export const canaries = [
  'canary-superuser-password',
  'canary-source-password',
  'canary-app-secret',
  newPassword,
  trialPassword,
] as const

export interface Place {
  readonly operation: Operation
  readonly organisationId: string
  /** Whose ids are named now and then, though the caller has no business there. */
  readonly foreignId: string | null
  /** Those that were named. */
  readonly named: Set<string>
  readonly pools: Pools
  readonly random: Random
  readonly fixed: Fixed
}

/** What is the same all the way through. */
export interface Fixed {
  /** Settings of a database that there is. */
  readonly source: Readonly<Record<string, unknown>>
  readonly keys: readonly string[]
  captcha: string
  serial: number
}

export function namedValue(name: string, schema: Schema, place: Place): unknown {
  if (schema.format === 'uuid') return idFor(name, place)
  const { random } = place
  const make = byName[name]
  if (make !== undefined) return make(place)
  const word = isText(schema) && random.next() < 0.7 ? place.pools.word(random, name) : undefined
  return word
}

function isText({ type }: Schema): boolean {
  return type === 'string'
}

const organisationNames = new Set(['orgId', 'organisationId', 'comOrganisationId', 'clientId', 'organisations'])

function idFor(name: string, place: Place): string | undefined {
  const { random, pools, foreignId, named } = place
  if (name === 'roleId') return roleIdOf(random.pick(['admin', 'user', 'guest', 'superadmin']))
  if (name === 'statusId') return random.pick(Object.values(statusIds))
  const isForeign = foreignId !== null && random.next() < 0.5
  const organisationId = isForeign ? foreignId : place.organisationId
  const id = organisationNames.has(name)
    ? organisationId
    : pools.id(random, organisationId, kindFor(name, place.operation))
  const found = id ?? (random.next() < 0.3 ? pools.anyId(random, organisationId) : undefined)
  if (isForeign && found !== undefined) named.add(found)
  return found
}

/** `id` and `ids` are of what the path ends with. */
function kindFor(name: string, { path }: Operation): string {
  if (name !== 'id' && name !== 'ids') return kindOf(name)
  return kindOf(subjectOf(path))
}

export function subjectOf(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
}

const zones = ['Europe/Berlin', 'UTC', 'Pacific/Chatham', 'America/St_Johns', 'Nowhere/Else']
const times = ['0 6 * * 1-5', '*/5 * * * *', '0 0 31 2 *', '@hourly', '61 * * * *', '']
const types = ['postgres', 'postgres', 'postgres', 'mysql', 'sqlserver', 'xero', 'cin7', 'uniconta', 'nothing']
/** Of this machine or of nobody: nothing here may leave the machine. */
const hosts = ['127.0.0.1', 'localhost', 'db.invalid', '[::1]', '0.0.0.0', '169.254.169.254']

const byName: Readonly<Record<string, (place: Place) => unknown>> = {
  emailAddress: ({ random, fixed }) => {
    fixed.serial += 1
    return random.next() < 0.6 ? `somebody-${fixed.serial}@fuzz.example` : random.pick(trialPeople).emailAddress
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
  properties: (place) => settingsFor(place),
  creds: (place) => ({
    host: hostFor(place),
    database: 'plan',
    schema: 'plan',
    user: 'reader',
    password: 'canary-source-password',
  }),
  host: (place) => hostFor(place),
  url: ({ random }) => random.pick(['https://127.0.0.1:9/there', 'https://hooks.invalid/there']),
  clientSecret: () => 'canary-app-secret',
  clientKey: ({ random, fixed }) => random.pick(fixed.keys),
  connectorKey: ({ random, pools, organisationId }) => pools.word(random, `key ${organisationId}`),
  provider: ({ random }) => random.pick(['microsoft', 'google', 'nobody']),
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

function hostFor({ random, fixed }: Place): string {
  return random.next() < 0.4 ? `127.0.0.1:${String(fixed.source['port'])}` : random.pick(hosts)
}

function settingsFor({ random, fixed }: Place): readonly { readonly name: string; readonly value: unknown }[] {
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
