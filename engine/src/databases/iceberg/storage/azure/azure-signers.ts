/** The three ways to sign a request to Azure Storage. */
import { createHmac } from 'node:crypto'
import type { AccessTokenProvider } from '../../../../ports/oauth.ts'
import type { HttpRequest } from '../../http/http-session.ts'
import type { AzureSettings } from './azure-storage.ts'

type AzureSigner = Pick<AzureSettings, 'sign' | 'renew'>

/** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */
export function sharedKeySigner(account: string, key: string): AzureSigner {
  return {
    sign: async (request) => {
      const text = canonicalRequest(account, request)
      const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')
      return { url: request.url, headers: { authorization: `SharedKey ${account}:${signature}` } }
    },
  }
}

/** @param token the query of a shared access signature, with or without its question mark */
export function sasSigner(token: () => Promise<string>): AzureSigner {
  return {
    sign: async ({ url }) => {
      const signed = new URL(url)
      for (const [name, value] of new URLSearchParams(await token())) signed.searchParams.set(name, value)
      return { url: signed, headers: {} }
    },
  }
}

/** Access tokens of Microsoft Entra ID. */
export function bearerSigner(tokens: AccessTokenProvider): AzureSigner {
  let last: string | undefined
  return {
    sign: async ({ url }) => {
      last = await tokens.token()
      return { url, headers: { authorization: `Bearer ${last}` } }
    },
    renew: async () => {
      await tokens.token(last)
    },
  }
}

function canonicalRequest(account: string, { method, url, headers = {}, body }: HttpRequest): string {
  const lengthText = body === undefined || body.length === 0 ? '' : String(body.length)
  const ofAzure = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`)
  const parameters = [...url.searchParams]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name.toLowerCase()}:${value}`)
  // After the method: encoding, language, length, MD5, type, date, four conditions and the range; all but the length are empty.
  return [
    method,
    '',
    '',
    lengthText,
    ...Array.from({ length: 8 }, () => ''),
    ...ofAzure,
    [`/${account}${url.pathname}`, ...parameters].join('\n'),
  ].join('\n')
}
