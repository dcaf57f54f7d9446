/**
 * Solves the captcha of the sign-in and sign-up forms. The built-in one is a proof of work, without a puzzle for the
 * user.
 */
import type { SignInOptions } from '@tributary/contract/sign-in'
import { call } from '../call.ts'
import { CallError } from '@tributary/client/call-error'

export type CaptchaOptions = SignInOptions['captcha']

/** Returns the `recaptchaToken` for a single call. Throws a CallError if the captcha cannot be solved. */
export async function solveCaptcha({ provider, siteKey }: CaptchaOptions): Promise<string> {
  try {
    if (provider === 'altcha') return await solveProofOfWork()
    // Most operators choose none of them.
    const { externalWidgets } = await import('./captcha-widgets.ts')
    return await externalWidgets[provider](siteKey ?? '')
  } catch (cause) {
    if (cause instanceof CallError) throw cause
    throw new CallError({ statusCode: 422, code: 'captchaFailed', message: captchaFailed })
  }
}

const captchaFailed = 'The check that you are a person did not pass. Reload the page and try again.'

/** Takes the browser a moment of computing, off the main thread. */
async function solveProofOfWork(): Promise<string> {
  // Destructured at the import, so that the bundler drops the rest of the library.
  const { pbkdf2, solveChallenge } = await import('altcha/lib')
  const challenge = (await call('GET /registration/captcha')) as unknown as Parameters<
    typeof solveChallenge
  >[0]['challenge']
  const solution = await solveChallenge({ challenge, deriveKey: pbkdf2.deriveKey })
  if (solution === null) throw new Error('No solution was found in time.')
  return btoa(JSON.stringify({ challenge, solution }))
}
