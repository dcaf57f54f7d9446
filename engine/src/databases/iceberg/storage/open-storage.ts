/** Opens the object storage that the settings or the catalog describe. */
import { clientTokens } from '../../../apis/http/token-request.ts'
import { Fault } from '../../../ports/faults.ts'
import type { ConnectionContext } from '../../../ports/source.ts'
import type { TableCredentials } from '../catalog/rest/table-credentials.ts'
import type { HttpSession } from '../http/http-session.ts'
import type { AwsCredentials } from '../http/sigv4.ts'
import { bearerSigner, sasSigner, sharedKeySigner } from './azure/azure-signers.ts'
import { AzureStorage } from './azure/azure-storage.ts'
import { S3Storage } from './s3/s3-storage.ts'
import type { ObjectStorage } from './storage.ts'

export type StorageSettings =
  /** The catalog provides the credentials of each table. */
  | { readonly kind: 'vended' }
  | {
      readonly kind: 's3'
      readonly endpoint: URL | null
      readonly region: string
      readonly usesPathStyle: boolean
      readonly credentials: AwsCredentials
    }
  | { readonly kind: 'azure'; readonly endpoint: URL | null; readonly signIn: AzureSignIn }

export type AzureSignIn =
  | { readonly kind: 'key'; readonly accountKey: string }
  | { readonly kind: 'sas'; readonly token: string }
  | { readonly kind: 'client'; readonly tenantId: string; readonly clientId: string; readonly clientSecret: string }

export interface StorageOpening {
  readonly context: ConnectionContext
  readonly http: HttpSession
}

/** @param table the location of a table, and what the catalog says about its storage */
export function openStorage(
  settings: StorageSettings,
  table: TableCredentials,
  opening: StorageOpening,
): ObjectStorage {
  switch (settings.kind) {
    case 'vended':
      return openVended(table, opening)
    case 's3':
      return new S3Storage({ ...settings, credentials: async () => settings.credentials }, opening.http)
    case 'azure':
      return new AzureStorage(
        { endpoint: settings.endpoint, ...azureSigner(settings.signIn, accountOf(table.location), opening) },
        opening.http,
      )
  }
}

function openVended(table: TableCredentials, { http }: StorageOpening): ObjectStorage {
  if (table.location.startsWith('abfs') || table.location.startsWith('wasb')) {
    const account = accountOf(table.location)
    const token = async () => {
      const properties = await table.current()
      const named = Object.entries(properties).find(([name]) => name.startsWith(`adls.sas-token.${account}`))
      return named?.[1] ?? Promise.reject(noCredentials())
    }
    return new AzureStorage({ endpoint: null, ...sasSigner(token) }, http)
  }
  if (!/^s3[an]?:/u.test(table.location)) throw unsupportedLocation(table.location)
  const { properties } = table
  const endpoint = properties['s3.endpoint']
  return new S3Storage(
    {
      endpoint: endpoint === undefined ? null : new URL(endpoint),
      region: properties['client.region'] ?? properties['s3.region'] ?? 'us-east-1',
      usesPathStyle: properties['s3.path-style-access'] === 'true',
      credentials: async () => vendedKey(await table.current()),
    },
    http,
  )
}

function vendedKey(properties: Readonly<Record<string, string>>): AwsCredentials {
  const accessKeyId = properties['s3.access-key-id']
  const secretAccessKey = properties['s3.secret-access-key']
  const sessionToken = properties['s3.session-token']
  if (accessKeyId === undefined || secretAccessKey === undefined) throw noCredentials()
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

function azureSigner(signIn: AzureSignIn, account: string, { context }: StorageOpening) {
  switch (signIn.kind) {
    case 'key':
      return sharedKeySigner(account, signIn.accountKey)
    case 'sas':
      return sasSigner(async () => signIn.token)
    case 'client':
      return bearerSigner(
        clientTokens(
          {
            title: 'Microsoft Entra ID',
            code: 'iceberg.azure',
            token: new URL(
              `https://login.microsoftonline.com/${encodeURIComponent(signIn.tenantId)}/oauth2/v2.0/token`,
            ),
            client: signIn.clientId,
            secret: signIn.clientSecret,
            clientIn: 'body',
            scopes: ['https://storage.azure.com/.default'],
            parameters: {},
          },
          context,
        ),
      )
  }
}

/** `account` of `abfss://container@account.dfs.core.windows.net/path`. */
function accountOf(location: string): string {
  const account = /^(?:abfss?|wasbs?):\/\/[^@/]+@([^./]+)/u.exec(location)?.[1]
  if (account === undefined) throw unsupportedLocation(location)
  return account
}

function unsupportedLocation(location: string): Fault {
  const scheme = location.split(':', 1)[0] ?? ''
  return new Fault('settings', {
    code: 'iceberg.location_unsupported',
    notice: `The catalog stores the tables at an address that begins with ${scheme}:, which does not fit the storage in the settings. Choose the storage that the catalog’s warehouse uses: S3 for s3:, Azure for abfss:.`,
  })
}

function noCredentials(): Fault {
  return new Fault('settings', {
    code: 'iceberg.not_vended',
    notice:
      'The catalog provides no credentials for the files of the tables. Let the warehouse vend credentials in the catalog, or choose the storage here and enter its keys.',
  })
}
