/** Turnstile, hCaptcha and reCAPTCHA: verifies the browser's token at the provider. */
import type { Network } from '@tributary/engine/ports/network'
import * as z from 'zod'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Log } from '../../kernel/log/log.ts'
import { fetchOver } from '../egress/fetch-over-network.ts'
import type { Captcha } from './captcha.ts'

interface SiteVerifyOptions {
  readonly network: Network
  readonly log: Log
  readonly verifyUrl: string
  readonly secret: string
}

const SiteVerifyResponse = z.object({
  success: z.boolean(),
  /** Only reCAPTCHA 3, whose `success` means only that the token is valid. From 0 (a bot) to 1 (a person). */
  score: z.number().optional(),
  'error-codes': z.array(z.string()).optional(),
})
type SiteVerifyResponse = z.infer<typeof SiteVerifyResponse>

const scoreMin = 0.5
/** Error codes for a wrong secret, which only the operator can fix. */
const secretRefused = new Set(['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch'])

export function openSiteVerify({ network, log, verifyUrl, secret }: SiteVerifyOptions): Captcha {
  // Times out after ten seconds.
  const fetch = fetchOver(network)
  const { host } = new URL(verifyUrl)
  const ask = async (token: string, address: string | null): Promise<SiteVerifyResponse> => {
    const body = new URLSearchParams({ secret, response: token, ...(address !== null && { remoteip: address }) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(verifyUrl, { method: 'POST', headers, body, redirect: 'manual' })
    return SiteVerifyResponse.parse(await reply.json())
  }
  return {
    challenge: () => Promise.reject(new ApiFault('notFound')),
    async require(token, address) {
      const verdict = await ask(token, address).catch((error: unknown) => {
        log.warn('the captcha provider did not answer', { host, error })
        throw new ApiFault('captchaFailed', { cause: error })
      })
      if (verdict['error-codes']?.some((code) => secretRefused.has(code)) === true)
        log.error('the captcha provider does not accept TRIBUTARY_CAPTCHA_SECRET', { host })
      if (!verdict.success || (verdict.score ?? 1) < scoreMin) throw new ApiFault('captchaFailed')
    },
  }
}
