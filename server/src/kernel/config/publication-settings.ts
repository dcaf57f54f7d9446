/** Addresses of the services that actions after a publication call. Organisations cannot choose them. */
import { isSecureAddress, optionalText, type SettingDefinition, type SettingInput } from './setting.ts'

/** Without trailing slashes. */
export interface PublicationServiceAddresses {
  readonly microsoftToken: string
  readonly powerBi: string
  /** Null: each action names a host of dbt. */
  readonly dbt: string | null
}

const names = {
  microsoftToken: 'TRIBUTARY_POWERBI_TOKEN_URL',
  powerBi: 'TRIBUTARY_POWERBI_API_URL',
  dbt: 'TRIBUTARY_DBT_API_URL',
} as const

const use = 'For a proxy or a simulator. In a trial it may be an http address of this machine.'

export const publicationSettings: readonly SettingDefinition[] = [
  optionalText(names.microsoftToken, {
    defaultText: 'https://login.microsoftonline.com',
    meaning: `Where Tributary signs in to refresh datasets of Power BI. ${use}`,
  }),
  optionalText(names.powerBi, {
    defaultText: 'https://api.powerbi.com',
    meaning: `The REST API of Power BI. ${use}`,
  }),
  optionalText(names.dbt, {
    defaultText: 'the host of dbt that the action names',
    meaning: `The API of dbt, for all organisations. ${use}`,
  }),
]

export function readPublicationServices({ env, mode, problems }: SettingInput): PublicationServiceAddresses {
  const addressOf = (name: string) => {
    const given = env[name] ?? ''
    const address = given.endsWith('/') ? given.slice(0, -1) : given
    if (address !== '' && !isSecureAddress(address, mode))
      problems.push(`${name} must be an https address without a query.`)
    return address === '' ? null : address
  }
  return {
    microsoftToken: addressOf(names.microsoftToken) ?? 'https://login.microsoftonline.com',
    powerBi: addressOf(names.powerBi) ?? 'https://api.powerbi.com',
    dbt: addressOf(names.dbt),
  }
}
