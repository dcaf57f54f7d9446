/** Signs up over HTTP and reads the emails of the sign-up. */
import { randomUUID } from 'node:crypto'
import { signUpRoutes, type Finalisation } from '@tributary/contract/sign-up'
import type { SettingKey } from '@tributary/contract/global-configuration'
import { registrationLinkMs } from '@tributary/contract/limits'
import { createLinkCode } from '../../../server/src/security/secrets/one-time-codes.ts'
import { solveCaptcha } from './captcha.ts'
import type { TestReply } from '../app/client.ts'
import type { TestApp } from '../app/test-app.ts'

export const newPassword = 'a-good-one-77'

export interface NewApplicant {
  readonly emailAddress: string
  readonly companyName: string
}

export async function trySignUp(
  app: TestApp,
  { emailAddress, companyName }: NewApplicant,
  more: Readonly<Record<string, unknown>> = {},
) {
  const body = {
    account: { firstName: 'Nora', lastName: 'Newcomer', emailAddress, password: newPassword },
    organisation: { companyName },
    recaptchaToken: await solveCaptcha(app),
    ...more,
  }
  return app.as.visitor.call(signUpRoutes.begin, { body })
}

/** Signs up and returns the code of the emailed link. */
export async function signUp(app: TestApp, newcomer: NewApplicant): Promise<string> {
  const { status, body } = await trySignUp(app, newcomer)
  if (status !== 201) throw new Error(`signing up answered ${status}: ${JSON.stringify(body)}`)
  return codeOf((await app.emailsTo(newcomer.emailAddress)).at(-1)?.action?.url)
}

export function codeOf(url: string | undefined): string {
  return new URL(url ?? 'missing:').searchParams.get('code') ?? ''
}

export async function readFinalisation(app: TestApp, code: string): Promise<Finalisation> {
  const { status, body } = await app.as.visitor.call(signUpRoutes.finalisation, { query: { code } })
  if (status !== 200) throw new Error(`finalise answered ${status}: ${JSON.stringify(body)}`)
  return body
}

export function finalise(
  app: TestApp,
  code: string,
  answers: Readonly<Record<string, unknown>> = {},
): Promise<TestReply<Finalisation>> {
  return app.as.visitor.call(signUpRoutes.finalise, { body: { code, ...answers } })
}

/** Inserts a registration with a valid code directly, without the form and its rate limits. */
export function insertNewcomer(app: TestApp, { emailAddress, companyName }: NewApplicant): Promise<string> {
  // Across organisations, because a registration belongs to none.
  return app.store.across(async (db) => {
    const person = { firstName: 'Nora', lastName: 'Newcomer', emailAddress, companyName, passwordHash: 'none' }
    const { id: subjectId } = await db
      .insertInto('registration')
      .values(person)
      .returning('id')
      .executeTakeFirstOrThrow()
    return createLinkCode(db, app.clock, { purpose: 'registration', subjectId, lifeMs: registrationLinkMs })
  })
}

export async function setSetting(app: TestApp, key: SettingKey, value: boolean): Promise<void> {
  // Across organisations, because the settings belong to none.
  await app.store.across((db) =>
    db
      .insertInto('setting')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
  )
  app.services.settings.invalidate()
}

export function newEmailAddress(): string {
  return `${randomUUID()}@newcomer.example`
}
