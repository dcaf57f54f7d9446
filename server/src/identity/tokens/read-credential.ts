/** Reads an access token from the header of a request. It is accepted nowhere else: addresses end up in logs and histories. */
import { looksLikeToken } from './token-format.ts'

/** `bearer` and `basic`: a token of a person or a service account. `oauth`: an access token of an assistant, as Bearer. */
export type TokenScheme = 'bearer' | 'basic' | 'oauth'

const made = ['person', 'service'] as const

/**
 * The token, or null. With Basic it is the password, and the user name is ignored: Excel and Power BI ask for one, and people
 * enter their address.
 */
export function readTokenCredential(authorization: string | undefined, schemes: readonly TokenScheme[]): string | null {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/u.exec(authorization ?? '') ?? []
  const name = scheme.toLowerCase()
  if (name === 'bearer') {
    const kinds = [
      ...(schemes.includes('bearer') ? made : []),
      ...(schemes.includes('oauth') ? ['access' as const] : []),
    ]
    return looksLikeToken(value, kinds) ? value : null
  }
  if (name !== 'basic' || !schemes.includes('basic')) return null
  const text = Buffer.from(value, 'base64').toString('utf8')
  const password = text.slice(text.indexOf(':') + 1)
  return looksLikeToken(password, made) ? password : null
}
