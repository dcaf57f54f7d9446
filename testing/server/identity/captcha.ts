/** Solves the proof-of-work captcha of the server and returns the token that the widget would send. */
import { signUpRoutes } from '@tributary/contract/sign-up'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { TestApp } from '../app/test-app.ts'

export async function solveCaptcha(app: TestApp): Promise<string> {
  const { body } = await app.as.visitor.call(signUpRoutes.captcha)
  const challenge = body as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
