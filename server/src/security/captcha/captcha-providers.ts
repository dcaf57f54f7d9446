/** Turnstile, hCaptcha and reCAPTCHA: the browser brings a token of theirs, and they tell us what it is worth. */
import type { Network } from '@tributary/engine/ports/network'
import * as z from 'zod'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Log } from '../../kernel/log/log.ts'
import { fetchOver } from '../egress/fetch-over-network.ts'
import type { Captcha } from './captcha.ts'

interface Options {
  readonly network: Network
  readonly log: Log
  readonly verifyUrl: string
  readonly secret: string
}

const Verdict = z.object({
  success: z.boolean(),
  /** Of reCAPTCHA 3 alone, whose `success` says only that the token is its own: 1 is surely a person, 0 surely none. */
  score: z.number().optional(),
  'error-codes': z.array(z.string()).optional(),
})
type Verdict = z.infer<typeof Verdict>

const scoreMin = 0.5
/** What all three say when the secret is not theirs: only the operator can mend it. */
const secretRefused = new Set(['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch'])

export function openSiteVerify({ network, log, verifyUrl, secret }: Options): Captcha {
  // Waits ten seconds at most.
  const fetch = fetchOver(network)
  const { host } = new URL(verifyUrl)
  const ask = async (token: string, address: string | null): Promise<Verdict> => {
    const body = new URLSearchParams({ secret, response: token, ...(address !== null && { remoteip: address }) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(verifyUrl, { method: 'POST', headers, body, redirect: 'manual' })
    return Verdict.parse(await reply.json())
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
