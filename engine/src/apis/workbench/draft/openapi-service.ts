/** Where the API of an OpenAPI document is, and who may call it. */
import type { DraftSetting, Guess, SourceParts } from './draft-model.ts'
import { settingNameOf } from './draft-model.ts'
import { isMap, type JsonMap, listOf, mapOf, type OpenApiDocument, textOf } from './openapi-document.ts'
import { isWebAddress } from './sample-address.ts'

/** @param address instead of that of the document */
export function serviceOf(document: OpenApiDocument, address: string | undefined): SourceParts {
  const { root } = document
  const settings: Record<string, DraftSetting> = {}
  const title = textOf(mapOf(root['info'])['title']) ?? 'New source'
  const base = baseOf(root, address, settings)
  const signIn = signInOf(document, settings)
  return { title: { value: title.slice(0, 80), check: 'the name of the source' }, base, settings, signIn }
}

function baseOf(root: JsonMap, address: string | undefined, settings: Record<string, DraftSetting>): Guess<string> {
  const [server] = listOf(root['servers']).filter(isMap)
  const written = (address ?? textOf(server?.['url']) ?? swaggerAddress(root) ?? '').slice(0, 500)
  const filled = written.replaceAll(/\{([^}]+)\}/gu, (_, name: string) => {
    const variable = mapOf(mapOf(server?.['variables'])[name])
    const standard = textOf(variable['default']) ?? ''
    if (standard !== '' && listOf(variable['enum']).length <= 1 && !/tenant|compan|account|domain/iu.test(name))
      return standard
    const setting = settingNameOf(name)
    settings[setting] = { label: name }
    return `{${setting}}`
  })
  const url = URL.parse(filled.replaceAll(/\{[^}]+\}/gu, 'x'))
  if (url === null || !isWebAddress(url))
    return { value: 'https://api.example.com/', check: 'the document does not name the address of the API' }
  return { value: filled.endsWith('/') ? filled : `${filled}/` }
}

function swaggerAddress(root: JsonMap): string | undefined {
  const host = textOf(root['host'])
  return host === undefined ? undefined : `https://${host}${textOf(root['basePath']) ?? ''}`
}

/** The first way to sign in that a description can do without people. */
function signInOf({ root }: OpenApiDocument, settings: Record<string, DraftSetting>): Guess<object> {
  const schemes = mapOf(mapOf(root['components'])['securitySchemes'] ?? root['securityDefinitions'])
  const known = Object.values(schemes).flatMap((scheme) => signInWith(mapOf(scheme)) ?? [])
  const best = known[0] ?? bearer('how the API knows who calls: the document does not say')
  Object.assign(settings, best.settings)
  return best.signIn
}

interface SignInGuess {
  readonly signIn: Guess<object>
  readonly settings: Readonly<Record<string, DraftSetting>>
}

function bearer(check?: string): SignInGuess {
  return {
    signIn: { value: { kind: 'bearer', token: 'token' }, ...(check !== undefined && { check }) },
    settings: { token: { label: 'Access token', kind: 'secret' } },
  }
}

function signInWith(scheme: JsonMap): SignInGuess | null {
  const kind = textOf(scheme['type'])
  if (kind === 'basic' || (kind === 'http' && textOf(scheme['scheme'])?.toLowerCase() === 'basic'))
    return {
      signIn: { value: { kind: 'basic', user: 'user', password: 'password' } },
      settings: { user: { label: 'User' }, password: { label: 'Password', kind: 'secret' } },
    }
  if (kind === 'http' && textOf(scheme['scheme'])?.toLowerCase() === 'bearer') return bearer()
  if (kind === 'apiKey') return apiKey(textOf(scheme['in']) ?? '', textOf(scheme['name']) ?? 'api_key')
  if (kind === 'oauth2') return oauth(scheme)
  return null
}

function apiKey(place: string, name: string): SignInGuess | null {
  if (place !== 'header' && place !== 'query') return null
  return {
    signIn: {
      value: { kind: 'apiKey', keys: [{ in: place, name, setting: 'key' }] },
      check: 'whether the key has a prefix, such as Bearer',
    },
    settings: { key: { label: 'API key', kind: 'secret' } },
  }
}

function oauth(scheme: JsonMap): SignInGuess {
  const client = mapOf(mapOf(scheme['flows'])['clientCredentials'])
  const token =
    textOf(client['tokenUrl']) ?? (scheme['flow'] === 'application' ? textOf(scheme['tokenUrl']) : undefined)
  if (token === undefined || URL.parse(token) === null)
    return bearer('the API has OAuth 2 with people: describe it as oauthCode, or use a token')
  return {
    signIn: {
      value: {
        kind: 'oauthClient',
        token,
        client: 'client',
        secret: 'secret',
        scopes: Object.keys(mapOf(client['scopes'])).slice(0, 20),
      },
      check: 'the scopes, and that the host of token is one of hosts',
    },
    settings: { client: { label: 'Client ID' }, secret: { label: 'Client secret', kind: 'secret' } },
  }
}
