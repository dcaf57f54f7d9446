/** The form of an Iceberg target. Keys are the names of the properties that Iceberg's own clients use, where they have one. */
import type { ConnectorSettingsField, ConnectorSettingsSection } from '../../../ports/settings.ts'
import { unknownValuesField } from '../../../encoding/unsupported-values.ts'

export const property = 'target.connectionString'

/** As the address of the catalog: the folder of the organisation on the server, where the provider has one. */
export const folderUri = 'folder:'

const forOAuth = [{ key: 'sign-in', value: 'oauth2' }]
const forToken = [{ key: 'sign-in', value: 'token' }]
const forSigV4 = [{ key: 'sign-in', value: 'sigv4' }]
const forS3 = [{ key: 'storage', value: 's3' }]
const forAzure = [{ key: 'storage', value: 'azure' }]
const forAccessKey = [...forS3, ...forSigV4]

const catalogFields: readonly ConnectorSettingsField[] = [
  {
    key: 'uri',
    label: 'Address of the catalog',
    kind: 'text',
    required: true,
    placeholder: 'https://catalog.example.com/iceberg',
    help: 'The address of the REST catalog without /v1.',
    bindsSecret: true,
  },
  {
    key: 'warehouse',
    label: 'Warehouse',
    kind: 'text',
    required: false,
    help: 'The warehouse or catalog within the address. Empty for the default.',
  },
  {
    key: 'sign-in',
    label: 'Sign-in to the catalog',
    kind: 'choice',
    required: true,
    initial: 'oauth2',
    choices: [
      { value: 'oauth2', label: 'Client id and secret (OAuth 2)' },
      { value: 'token', label: 'Token' },
      { value: 'sigv4', label: 'Access key (AWS Signature Version 4)' },
      { value: 'none', label: 'None' },
    ],
    bindsSecret: true,
  },
  { key: 'client-id', label: 'Client id', kind: 'text', required: true, bindsSecret: true, shownFor: forOAuth },
  { key: 'client-secret', label: 'Client secret', kind: 'secret', required: true, shownFor: forOAuth },
  {
    key: 'oauth2-server-uri',
    shownFor: forOAuth,
    label: 'Address for tokens',
    kind: 'text',
    required: false,
    placeholder: 'https://login.example.com/oauth2/token',
    help: 'Where the client gets its tokens. Empty for the catalog’s own.',
    bindsSecret: true,
  },
  {
    key: 'scope',
    shownFor: forOAuth,
    label: 'Scope',
    kind: 'text',
    required: false,
    placeholder: 'PRINCIPAL_ROLE:ALL',
    help: 'Only if the catalog requires one.',
  },
  {
    key: 'token',
    shownFor: forToken,
    label: 'Token',
    kind: 'secret',
    required: true,
    help: 'For the sign-in by token. It is not renewed: replace it before it expires.',
  },
  {
    key: 'rest.signing-name',
    shownFor: forSigV4,
    label: 'AWS service',
    kind: 'text',
    required: true,
    placeholder: 'glue',
    help: 'For the sign-in by access key: glue, s3tables or execute-api.',
  },
]

const storageFields: readonly ConnectorSettingsField[] = [
  {
    key: 'storage',
    label: 'Access to the files',
    kind: 'choice',
    required: true,
    initial: 'vended',
    choices: [
      { value: 'vended', label: 'The catalog provides the credentials' },
      { value: 's3', label: 'Amazon S3 or compatible' },
      { value: 'azure', label: 'Azure Data Lake or OneLake' },
    ],
    bindsSecret: true,
  },
  {
    key: 's3.region',
    shownFor: forAccessKey,
    label: 'AWS region',
    kind: 'text',
    required: true,
    placeholder: 'eu-central-1',
    help: 'Of the bucket, and for the sign-in by access key.',
  },
  {
    key: 's3.endpoint',
    shownFor: forS3,
    label: 'S3 endpoint',
    kind: 'text',
    required: false,
    placeholder: 'https://s3.example.com',
    help: 'Only for storage that is compatible with S3. Empty for Amazon.',
    bindsSecret: true,
  },
  {
    key: 's3.path-style-access',
    shownFor: forS3,
    label: 'Bucket in the path',
    kind: 'switch',
    required: false,
    initial: false,
    help: 'For servers that do not accept the bucket in the host name.',
  },
  {
    key: 's3.access-key-id',
    label: 'Access key id',
    kind: 'text',
    required: true,
    bindsSecret: true,
    shownFor: forAccessKey,
  },
  { key: 's3.secret-access-key', label: 'Secret access key', kind: 'secret', required: true, shownFor: forAccessKey },
  {
    key: 'adls.tenant-id',
    label: 'Azure tenant id',
    kind: 'text',
    required: false,
    bindsSecret: true,
    shownFor: forAzure,
  },
  {
    key: 'adls.client-id',
    label: 'Azure client id',
    kind: 'text',
    required: false,
    bindsSecret: true,
    shownFor: forAzure,
  },
  { key: 'adls.client-secret', label: 'Azure client secret', kind: 'secret', required: false, shownFor: forAzure },
  {
    key: 'adls.sas-token',
    shownFor: forAzure,
    label: 'Shared access signature',
    kind: 'secret',
    required: false,
    help: 'Instead of the Azure client: with the permissions read, write, delete and list.',
  },
  {
    key: 'adls.account-key',
    shownFor: forAzure,
    label: 'Azure account key',
    kind: 'secret',
    required: false,
    help: 'Instead of the Azure client. It gives access to the whole storage account.',
  },
  {
    key: 'adls.endpoint',
    label: 'Azure endpoint',
    kind: 'text',
    required: false,
    help: 'Only for an emulator.',
    bindsSecret: true,
    hidden: true,
  },
]

const partitionField: ConnectorSettingsField = {
  key: 'partition-by-month',
  label: 'Partition by the month of',
  kind: 'text',
  required: false,
  placeholder: 'DocDate, PostingDate',
  help: 'Columns with a date, separated by commas. Each table is partitioned by the first of them that it has. Empty for no partitions. Tables that exist change with their next full refresh.',
}

const changedRowsField: ConnectorSettingsField = {
  key: 'changed-rows',
  label: 'Rows that change',
  kind: 'choice',
  required: false,
  initial: 'copy',
  choices: [
    { value: 'copy', label: 'Write their files again' },
    { value: 'positions', label: 'Position deletes for small changes' },
  ],
  help: 'Every engine reads files that are written again. Position deletes make small changes of large tables faster and keep old snapshots small. Check first that your engines read them: the documentation names those that do not.',
}

/** What only a REST catalog needs. The folder of the server needs its address alone. */
export const restCatalogKeys: ReadonlySet<string> = new Set(
  [...catalogFields, ...storageFields].map(({ key }) => key).filter((key) => key !== 'uri'),
)

export const section: ConnectorSettingsSection = {
  property,
  shape: 'object',
  title: 'Iceberg catalog',
  help: 'Iceberg tables have rows only: no history, no views and no publications. The catalog must let Tributary create namespaces and tables, and write to them.',
  fields: [...catalogFields, ...storageFields, partitionField, changedRowsField, unknownValuesField],
}
