/** Opens the configured captcha. */
import type { CaptchaSettings } from '../../kernel/config/captcha-settings.ts'
import { endpointOf, openNetwork, type NetworkEndpoint } from '../egress/egress.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Captcha } from './captcha.ts'
import { openProofOfWork, type ProofOfWorkOptions } from './proof-of-work.ts'
import { openSiteVerify } from './captcha-providers.ts'

interface OpenCaptchaOptions extends ProofOfWorkOptions {
  readonly settings: CaptchaSettings
  readonly log: Log
  readonly deny: () => readonly NetworkEndpoint[]
}

export function openCaptcha({ settings, log, deny, ...options }: OpenCaptchaOptions): Captcha {
  const { secret, verifyUrl } = settings
  if (verifyUrl === null) return openProofOfWork(options)
  // The verifier may be in the operator's private network. Connectors have a separate list.
  const allow = [endpointOf(verifyUrl)]
  return openSiteVerify({ network: openNetwork({ allow, deny }), log, verifyUrl, secret: secret ?? '' })
}
