/** OAuth apps from the environment: `TRIBUTARY_<TYPE>_CLIENT_ID` and so on, one app per source and installation. */
import { sources } from '@tributary/engine/registry'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { isSecureAddress, optionalText, type SettingInput, type SettingDefinition } from './setting.ts'

export interface OauthSettings {
  /** The connector type: `xero`. */
  readonly type: string
  /** Null: organisations must register their own apps. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null
  /** Null: the source's default scopes. */
  readonly scopes: readonly string[] | null
  /** Null: the source's own. Set for a simulator or the operator's proxy. */
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string } | null
  /** Initial settings of its connectors: a simulator needs no rate limit. */
  readonly initial?: ConnectorProperties
}

const types = sources.filter(({ oauth }) => oauth !== undefined).map(({ type }) => type)

/** Xero refuses scopes that an app may not have. */
const scopeTexts: Readonly<Record<string, { readonly defaultText: string; readonly meaning: string } | undefined>> = {
  xero: {
    defaultText: 'every scope that the streams need, except journals',
    meaning:
      'The requested scopes, separated by spaces. Xero refuses the whole sign-in if the app may not have one of them. It grants journals only to some apps: add `accounting.journals.read` if yours is among them.',
  },
}
const otherScopes = {
  defaultText: 'every scope that the streams need',
  meaning: 'The requested scopes, separated by spaces.',
}

export const oauthSettings: readonly SettingDefinition[] = types.flatMap(settingsOf)

function settingsOf(type: string): readonly SettingDefinition[] {
  const prefix = prefixOf(type)
  return [
    optionalText(`${prefix}_CLIENT_ID`, {
      meaning:
        'The client id of the app that every organisation may authorise. If you change it, organisations must authorise again.',
    }),
    optionalText(`${prefix}_CLIENT_SECRET`, { secret: 'whole', meaning: 'The secret of that app.' }),
    optionalText(`${prefix}_SCOPES`, scopeTexts[type] ?? otherScopes),
    ...['AUTHORISE', 'TOKEN', 'API'].map((which) =>
      optionalText(`${prefix}_${which}_URL`, {
        defaultText: 'the source’s own',
        meaning: 'For a proxy. Set all three addresses or none. In a trial they may be http addresses of this machine.',
      }),
    ),
  ]
}

/** Adds each problem as a sentence that repeats no secret. */
export function readOauthSettings({ env, mode, problems }: SettingInput): readonly OauthSettings[] {
  return types.map((type) => {
    const prefix = prefixOf(type)
    const valueOf = (setting: string) => env[`${prefix}_${setting}`] ?? ''
    const [clientId, clientSecret] = [valueOf('CLIENT_ID'), valueOf('CLIENT_SECRET')]
    if ((clientId === '') !== (clientSecret === ''))
      problems.push(`${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET go together: set both, or neither.`)
    const scopes = valueOf('SCOPES')
      .split(/\s+/u)
      .filter((scope) => scope !== '')
    const [authorise, token, api] = ['AUTHORISE_URL', 'TOKEN_URL', 'API_URL'].map((setting) => {
      const address = valueOf(setting)
      if (address !== '' && !isSecureAddress(address, mode))
        problems.push(`${prefix}_${setting} must be an https address without a query.`)
      return address
    })
    const given = [authorise, token, api].filter((address) => address !== '').length
    if (given !== 0 && given !== 3)
      problems.push(`${prefix}_AUTHORISE_URL, _TOKEN_URL and _API_URL go together: set all three, or none.`)
    return {
      type,
      app: clientId === '' ? null : { clientId, clientSecret },
      scopes: scopes.length === 0 ? null : scopes,
      addresses: given === 0 ? null : { authorise: authorise ?? '', token: token ?? '', api: api ?? '' },
    }
  })
}

function prefixOf(type: string): string {
  return `TRIBUTARY_${type.toUpperCase().replaceAll('-', '_')}`
}
