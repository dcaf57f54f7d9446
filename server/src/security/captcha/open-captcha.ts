/** Opens the configured captcha. */
import type { CaptchaSettings } from '../../kernel/config/captcha-settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { openNetwork, type NetworkEndpoint } from '../egress/egress.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Captcha } from './captcha.ts'
import { openProofOfWork, type ProofOfWorkCost } from './proof-of-work.ts'
import { openSiteVerify } from './captcha-providers.ts'

interface OpenCaptchaOptions {
  readonly settings: CaptchaSettings
  readonly store: Store
  readonly clock: Clock
  readonly keys: ServerKeys
  readonly log: Log
  readonly deny: () => readonly NetworkEndpoint[]
  readonly work: ProofOfWorkCost | undefined
}

export function openCaptcha({ settings, store, clock, keys, log, deny, work }: OpenCaptchaOptions): Captcha {
  const { secret, verifyUrl } = settings
  if (verifyUrl === null) return openProofOfWork({ store, clock, keys, work })
  const { hostname, port, protocol } = new URL(verifyUrl)
  // The verifier may be in the operator's private network. Connectors have a separate list.
  const allow = [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`]
  return openSiteVerify({ network: openNetwork({ allow, deny }), log, verifyUrl, secret: secret ?? '' })
}
