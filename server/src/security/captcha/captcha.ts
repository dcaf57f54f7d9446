/** Checks that a visitor is a person, or has at least spent computing time. */
import type { Challenge } from 'altcha-lib/types'

export interface Captcha {
  /** A proof-of-work challenge for the browser. Throws `notFound` with an external provider, whose widget needs no challenge. */
  challenge(): Promise<Challenge>
  /** Throws `captchaFailed` for a token that is wrong, expired or was used before. @param address of the visitor */
  require(token: string, address: string | null): Promise<void>
}
