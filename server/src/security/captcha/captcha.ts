/** Whether a visitor is a person, or at least somebody to whom asking is work. */
import type { Challenge } from 'altcha-lib/types'

export interface Captcha {
  /** A proof of work for the browser; throws `notFound` where another provider's widget asks its own question. */
  challenge(): Promise<Challenge>
  /** Throws `captchaFailed` for a token that is wrong, too old or was handed in before. @param address of the visitor. */
  require(token: string, address: string | null): Promise<void>
}
