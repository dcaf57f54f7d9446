/** External identity providers from the environment: `TRIBUTARY_OIDC_<NAME>_…`, any OpenID Connect issuer. */
import {
  isSecureAddress,
  optionalText,
  type EnvironmentVariables,
  type ServerMode,
  type SettingInput,
  type SettingDefinition,
} from './setting.ts'

export interface ProviderSettings {
  /** The name in URLs: `microsoft`. */
  readonly name: string
  readonly displayName: string
  /** Exactly as the provider writes it; a trailing slash matters. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claim `oid` identifies a person of the one Microsoft tenant that may sign in. */
  readonly hasMicrosoftId: boolean
}

interface ProviderPreset {
  readonly displayName: string
  readonly issuer: string
}

const presets: ReadonlyMap<string, ProviderPreset> = new Map([
  ['microsoft', { displayName: 'Microsoft', issuer: 'https://login.microsoftonline.com/{tenant}/v2.0' }],
  ['google', { displayName: 'Google', issuer: 'https://accounts.google.com' }],
  ['xero', { displayName: 'Xero', issuer: 'https://identity.xero.com' }],
])
/** Microsoft's names for "any tenant". An object id is unique only within one tenant. */
const multiTenantNames = ['common', 'organizations', 'consumers']

const form = /^TRIBUTARY_OIDC_([A-Z][A-Z0-9_]*?)_(CLIENT_ID|CLIENT_SECRET|ISSUER|DISPLAY_NAME|TENANT)$/u

export const providerSettings: readonly SettingDefinition[] = [
  optionalText('TRIBUTARY_OIDC_<NAME>_CLIENT_ID', {
    meaning:
      'The client id of this installation at the provider. The names `MICROSOFT`, `GOOGLE` and `XERO` need no issuer.',
  }),
  optionalText('TRIBUTARY_OIDC_<NAME>_CLIENT_SECRET', {
    secret: 'whole',
    meaning: 'The client secret of this installation at the provider.',
  }),
  optionalText('TRIBUTARY_OIDC_<NAME>_TENANT', {
    example: 'organizations',
    meaning:
      'Required for Microsoft Entra ID, unused elsewhere: the id or domain of your tenant. `organizations` and `common` accept people of every company; a user’s MS_Oid then links no account, because it is unique only within one tenant.',
  }),
  optionalText('TRIBUTARY_OIDC_<NAME>_ISSUER', {
    example: 'https://id.example.com',
    meaning:
      'For any other provider: its https address, exactly as the provider writes it. It may be inside your own network. In a trial it may be an http address of this machine.',
  }),
  optionalText('TRIBUTARY_OIDC_<NAME>_DISPLAY_NAME', { defaultText: 'the name', meaning: 'The label of the button.' }),
]

/** Adds each problem as a sentence that repeats no secret. */
export function readProviders({ env, mode, problems }: SettingInput): readonly ProviderSettings[] {
  const given = Object.keys(env).filter((name) => name.startsWith('TRIBUTARY_OIDC_') && env[name] !== undefined)
  for (const name of given.filter((one) => !form.test(one)))
    problems.push(
      `${name} is not known. A provider is set by TRIBUTARY_OIDC_<NAME>_ISSUER, _CLIENT_ID, _CLIENT_SECRET and _DISPLAY_NAME.`,
    )
  const names = new Set(given.flatMap((name) => form.exec(name)?.[1] ?? []))
  const providers = [...names].map((name) => readProvider(name, { env, mode, problems }))
  const issuers = providers.map(({ issuer }) => issuer)
  for (const { issuer } of providers.filter(({ issuer: own }, at) => own !== '' && issuers.indexOf(own) !== at))
    problems.push(`Two of TRIBUTARY_OIDC_<NAME>_ISSUER are ${issuer}. Keep one of them.`)
  return providers
}

function readProvider(upper: string, { env, mode, problems }: SettingInput): ProviderSettings {
  const prefix = `TRIBUTARY_OIDC_${upper}`
  const valueOf = (setting: string) => env[`${prefix}_${setting}`] ?? ''
  const name = upper.toLowerCase().replaceAll('_', '-')
  const preset = presets.get(name)
  const issuer = preset?.issuer.replace('{tenant}', valueOf('TENANT')) ?? valueOf('ISSUER')
  const [clientId, clientSecret] = [valueOf('CLIENT_ID'), valueOf('CLIENT_SECRET')]
  if (clientId === '')
    problems.push(`${prefix}_CLIENT_ID is missing: the id that the provider gave to this installation.`)
  if (clientSecret === '')
    problems.push(`${prefix}_CLIENT_SECRET is missing: the secret that the provider gave to this installation.`)
  problems.push(
    ...(preset === undefined ? listIssuerProblems(prefix, issuer, mode) : listPresetProblems(prefix, preset, env)),
  )
  const displayName = valueOf('DISPLAY_NAME') || (preset?.displayName ?? upper.replaceAll('_', ' '))
  const hasMicrosoftId = name === 'microsoft' && !multiTenantNames.includes(valueOf('TENANT'))
  return { name, displayName, issuer, clientId, clientSecret, hasMicrosoftId }
}

function listPresetProblems(prefix: string, { issuer }: ProviderPreset, env: EnvironmentVariables): readonly string[] {
  const hasTenant = issuer.includes('{tenant}')
  const tenant = env[`${prefix}_TENANT`]
  const problems = [
    env[`${prefix}_ISSUER`] !== undefined &&
      `${prefix}_ISSUER must be left out: the issuer of this provider is known. For another one choose another name.`,
    !hasTenant && tenant !== undefined && `${prefix}_TENANT must be left out: only Microsoft has tenants.`,
    hasTenant &&
      !/^[\w.-]+$/u.test(tenant ?? '') &&
      `${prefix}_TENANT is missing or not right: the id of your Microsoft Entra tenant, or 'organizations' for every company's.`,
  ]
  return problems.filter((problem) => problem !== false)
}

function listIssuerProblems(prefix: string, issuer: string, mode: ServerMode): readonly string[] {
  if (issuer === '')
    return [`${prefix}_ISSUER is missing: the https address of the provider, such as https://id.example.com.`]
  // Without encryption an attacker on the network could impersonate any person.
  if (isSecureAddress(issuer, mode)) return []
  return [`${prefix}_ISSUER must be an https address without a query, such as https://id.example.com.`]
}
