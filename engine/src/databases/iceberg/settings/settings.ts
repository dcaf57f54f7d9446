/** Parses the settings of an Iceberg target. */
import * as z from 'zod'
import { parseUnknownValues, type UnknownValues } from '../../../encoding/unsupported-values.ts'
import { Fault } from '../../../ports/faults.ts'
import { parseFields } from '../../../ports/server-settings.ts'
import type { ConnectorProperties } from '../../../ports/source.ts'
import type { RestSignIn } from '../catalog/rest/rest-auth.ts'
import type { AwsCredentials } from '../http/sigv4.ts'
import type { AzureSignIn, StorageSettings } from '../storage/open-storage.ts'
import { folderUri, property, section } from './fields.ts'

export interface IcebergSettings {
  readonly catalog: FolderCatalogSettings | RestCatalogTarget
  /** The levels of the namespace with the tables. */
  readonly namespace: readonly string[]
  /** Columns whose months partition the tables that have them. */
  readonly partitionBy: readonly string[]
  /** How rows of large files are changed. */
  readonly changedRows: 'copied' | 'deletedByPosition'
  /** Rejected if absent. */
  readonly unknownValues?: UnknownValues
}

/** The folder that the context has for the organisation. Settings never name a path. */
interface FolderCatalogSettings {
  readonly kind: 'folder'
}

export interface RestCatalogTarget {
  readonly kind: 'rest'
  readonly uri: URL
  readonly warehouse: string
  readonly signIn: RestSignIn
  readonly storage: StorageSettings
}

const code = 'iceberg.settings_wrong'
const text = z.string().trim().default('')
const IcebergFields = z.object({
  uri: z.string().trim().min(1),
  warehouse: text,
  'sign-in': z.enum(['oauth2', 'token', 'sigv4', 'none']).default('oauth2'),
  'client-id': text,
  'client-secret': text,
  'oauth2-server-uri': text,
  scope: text,
  token: text,
  'rest.signing-name': text,
  storage: z.enum(['vended', 's3', 'azure']).default('vended'),
  's3.region': text,
  's3.endpoint': text,
  's3.path-style-access': z.union([z.boolean(), z.stringbool()]).default(false),
  's3.access-key-id': text,
  's3.secret-access-key': text,
  'adls.tenant-id': text,
  'adls.client-id': text,
  'adls.client-secret': text,
  'adls.sas-token': text,
  'adls.account-key': text,
  'adls.endpoint': text,
  'partition-by-month': text,
  'changed-rows': z.enum(['copy', 'positions']).default('copy'),
})
type Fields = z.infer<typeof IcebergFields>
type TextField = { [Key in keyof Fields]: Fields[Key] extends string ? Key : never }[keyof Fields]

/** Throws a `settings` Fault that names the field. */
export function parseSettings(properties: ConnectorProperties): IcebergSettings {
  const fields = parseFields<Fields>(IcebergFields, properties[property], { property, fields: section.fields, code })
  const common = {
    namespace: parseNamespace(properties['target.schema']),
    unknownValues: parseUnknownValues(properties[property]),
    partitionBy: fields['partition-by-month'].split(',').flatMap((name) => name.trim() || []),
    changedRows: fields['changed-rows'] === 'copy' ? ('copied' as const) : ('deletedByPosition' as const),
  }
  if (fields.uri === folderUri) return { catalog: { kind: 'folder' }, ...common }
  const catalog: RestCatalogTarget = {
    kind: 'rest',
    uri: parseHttpUrl(fields, 'uri'),
    warehouse: fields.warehouse,
    signIn: parseSignIn(fields),
    storage: parseStorage(fields),
  }
  return { catalog, ...common }
}

const namespaceMax = 128

function parseNamespace(value: unknown): readonly string[] {
  const levels = typeof value === 'string' ? value.split('.').map((level) => level.trim()) : []
  const isValid = levels.every((level) => /^[\p{L}\p{N}_-]+$/u.test(level) && level.length <= namespaceMax)
  if (levels.length > 0 && isValid) return levels
  throw new Fault('settings', {
    code,
    notice:
      'The namespace must have letters, digits, ‘_’ and ‘-’, with points between its levels. Choose another name.',
    field: 'target.schema',
  })
}

function parseSignIn(fields: Fields): RestSignIn {
  switch (fields['sign-in']) {
    case 'none':
      return { kind: 'none' }
    case 'token':
      return { kind: 'token', token: required(fields, 'token') }
    case 'sigv4':
      return {
        kind: 'sigv4',
        credentials: parseAccessKey(fields),
        scope: { region: required(fields, 's3.region'), service: required(fields, 'rest.signing-name') },
      }
    case 'oauth2':
      return {
        kind: 'oauth2',
        tokenEndpoint: fields['oauth2-server-uri'] === '' ? null : parseHttpUrl(fields, 'oauth2-server-uri'),
        clientId: required(fields, 'client-id'),
        clientSecret: required(fields, 'client-secret'),
        scope: fields.scope,
      }
  }
}

function parseStorage(fields: Fields): StorageSettings {
  switch (fields.storage) {
    case 'vended':
      return { kind: 'vended' }
    case 's3':
      return {
        kind: 's3',
        endpoint: fields['s3.endpoint'] === '' ? null : parseHttpUrl(fields, 's3.endpoint'),
        region: required(fields, 's3.region'),
        usesPathStyle: fields['s3.path-style-access'],
        credentials: parseAccessKey(fields),
      }
    case 'azure':
      return {
        kind: 'azure',
        endpoint: fields['adls.endpoint'] === '' ? null : parseHttpUrl(fields, 'adls.endpoint'),
        signIn: parseAzure(fields),
      }
  }
}

function parseAccessKey(fields: Fields): AwsCredentials {
  return {
    accessKeyId: required(fields, 's3.access-key-id'),
    secretAccessKey: required(fields, 's3.secret-access-key'),
  }
}

function parseAzure(fields: Fields): AzureSignIn {
  if (fields['adls.sas-token'] !== '') return { kind: 'sas', token: fields['adls.sas-token'] }
  if (fields['adls.account-key'] !== '') return { kind: 'key', accountKey: fields['adls.account-key'] }
  return {
    kind: 'client',
    tenantId: required(fields, 'adls.tenant-id'),
    clientId: required(fields, 'adls.client-id'),
    clientSecret: required(fields, 'adls.client-secret'),
  }
}

function required(fields: Fields, key: TextField): string {
  const value = fields[key]
  if (value !== '') return value
  throw wrong(key, `${labelOf(key)} is missing, which this choice needs. Fill it in and save again.`)
}

function parseHttpUrl(fields: Fields, key: TextField): URL {
  const url = parseUrl(fields, key)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (/^https?:$/u.test(url.protocol) && isPlain) return url
  throw wrong(key, `${labelOf(key)} must be an address that begins with https://, without a user or parameters.`)
}

function parseUrl(fields: Fields, key: TextField): URL {
  const url = URL.parse(fields[key])
  if (url !== null) return url
  throw wrong(key, `${labelOf(key)} is not an address. Write it like https://catalog.example.com.`)
}

function labelOf(key: string): string {
  return section.fields.find((field) => field.key === key)?.label ?? key
}

function wrong(key: string, notice: string): Fault {
  return new Fault('settings', { code, notice, field: `${property}.${key}` })
}
