/** Apps at sources that people authorise, as the environment names them: `TRIBUTARY_<TYPE>_CLIENT_ID` and so on, one an installation. */
import { sources } from '@tributary/engine/registry'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { optionalText, type Mode, type Given, type Setting } from './setting.ts'

export interface OauthSettings {
  /** The connector type: `xero`. */
  readonly type: string
  /** Null: organisations can bring apps of their own only. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null
  /** Null: what the source asks for by itself. */
  readonly scopes: readonly string[] | null
  /** Null: the source's own; a simulator or a proxy of the operator's stands at others. */
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string } | null
  /** Settings that its connectors start with: a simulator need not be spared. */
  readonly initial?: ConnectorProperties
}

const types = sources.filter(({ oauth }) => oauth !== undefined).map(({ type }) => type)

export const oauthSettings: readonly Setting[] = types.flatMap((type) => settingsOf(prefixOf(type)))

function settingsOf(prefix: string): readonly Setting[] {
  return [
    optionalText(`${prefix}_CLIENT_ID`, {
      meaning:
        'The app that every organisation may authorise. With another client id, what was authorised for the former one has to be authorised again.',
    }),
    optionalText(`${prefix}_CLIENT_SECRET`, { secret: 'whole', meaning: 'The secret of that app.' }),
    optionalText(`${prefix}_SCOPES`, {
      otherwise: 'what given everything takes',
      meaning:
        'What is asked for, separated by spaces. Xero refuses the whole sign-in for one scope that the app may not have, and grants the journals only to some: add `accounting.journals.read` if yours is among them.',
    }),
    ...['AUTHORISE', 'TOKEN', 'API'].map((which) =>
      optionalText(`${prefix}_${which}_URL`, {
        otherwise: 'the source’s own',
        meaning: 'For a proxy: all three addresses or none. In trial mode they may be http addresses of this machine.',
      }),
    ),
  ]
}

/** Every problem in a sentence that repeats no secret. */
export function readOauthSettings({ env, mode, problems }: Given): readonly OauthSettings[] {
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
      if (address !== '' && !isAddress(address, mode))
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
  return `TRIBUTARY_${type.toUpperCase()}`
}

/** Without encryption anybody on the way could read the tokens; a trial's simulator is on this machine. */
function isAddress(text: string, mode: Mode): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return (
    url.protocol === 'https:' ||
    (mode === 'trial' && url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  )
}
