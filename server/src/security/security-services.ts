import type { Network } from '@tributary/engine/ports/network'
import type { KernelServices } from '../kernel/kernel-services.ts'
import type { Audit } from './audit/audit.ts'
import type { CallCounter } from './throttling/call-counter.ts'
import type { Captcha } from './captcha/captcha.ts'
import type { ServerKeys } from './keys/server-keys.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { SignInBreaker } from './throttling/sign-in-circuit-breaker.ts'
import type { Throttle } from './throttling/throttle.ts'

export interface SecurityServices extends KernelServices {
  readonly audit: Audit
  readonly secrets: Secrets
  readonly serverKeys: ServerKeys
  readonly network: Network
  readonly throttle: Throttle
  readonly callCounter: CallCounter
  readonly signInBreaker: SignInBreaker
  readonly captcha: Captcha
}
