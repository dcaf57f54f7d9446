import { signInRoutes } from '@tributary/contract/sign-in'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteExpired } from '../../security/retention/delete-expired.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import {
  newEmailAddress,
  finalise,
  readFinalisation,
  newPassword,
  signUp,
  trySignUp,
  setSetting,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { StatementLog } from '@tributary/testing/server/app/statement-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
const statements = new StatementLog()
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' }, plugins: [statements] })
})
afterEach(() => app[Symbol.asyncDispose]())

const taken = 'user@demo.example'

test('[REG-7] [API-1 POST /registration/account] signing up sends a link and a code, and both lead to the next step', async () => {
  const newcomer = { emailAddress: newEmailAddress(), companyName: 'Newcomers' }
  const { status, body } = await trySignUp(app, newcomer)
  expect([status, body.code]).toEqual([201, null])
  const [letter] = await app.emailsTo(newcomer.emailAddress)
  expect(letter).toMatchObject({ template: 'confirm-sign-up', code: expect.stringMatching(/^\d{6}$/u) })
  expect(letter?.action?.url).toMatch(/^http:\/\/localhost:3000\/signup\/finalise\?code=[\w-]{43}$/u)

  const proof = { reference: body.verificationReference, code: letter?.code, context: 'registration' }
  const verified = await app.as.visitor.call(signInRoutes.verify, { body: proof })
  const { code } = verified.body as { code: string }
  expect(await readFinalisation(app, code)).toMatchObject({
    EmailAddress: newcomer.emailAddress,
    CompanyName: 'Newcomers',
    Finalised: false,
  })
})

test('[REG-3] a taken address gets the reply of a free one, and only its owner is notified', async () => {
  const [free, occupied] = [
    await trySignUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' }),
    await trySignUp(app, { emailAddress: taken.toUpperCase(), companyName: 'Newcomers' }),
  ]
  const shape = ({ status, body, headers }: typeof free) => ({
    status,
    body: { ...body, verificationReference: body.verificationReference.length },
    headers: {
      ...headers,
      date: '',
      'set-cookie': String(headers['set-cookie']).replace(/tributary_signup=[^;]+/u, ''),
    },
  })
  expect(shape(occupied)).toEqual(shape(free))
  const letters = await app.emailsTo(taken.toUpperCase())
  expect(letters).toMatchObject([{ template: 'already-registered', action: { url: 'http://localhost:3000/signin' } }])
  expect(JSON.stringify(letters)).not.toContain('finalise')
  // No email contained its code, and the email with a new one is not sent either.
  const again = await app.as.visitor.call(signInRoutes.resendCode, {
    body: { reference: occupied.body.verificationReference },
  })
  expect(again.status).toBe(200)
  expect(await app.emailsTo(taken.toUpperCase())).toHaveLength(1)
})

test('[REG-3] a taken address takes the same work as a free one, statement for statement', async () => {
  await trySignUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' })
  const work = []
  for (const emailAddress of [taken, newEmailAddress()]) {
    const recaptchaToken = await solveCaptcha(app)
    statements.take()
    expect((await trySignUp(app, { emailAddress, companyName: 'Newcomers' }, { recaptchaToken })).status).toBe(201)
    work.push(statements.take())
  }
  expect(work[0]).toEqual(work[1])
  expect(work[0]?.length).toBeGreaterThan(10)
})

test('[REG-2] a weak or missing password is refused with the field’s name', async () => {
  const newcomer = { emailAddress: newEmailAddress(), companyName: 'Newcomers' }
  const person = { firstName: 'Nora', lastName: 'Newcomer', emailAddress: newcomer.emailAddress }
  for (const password of ['a1b2c', 'abcdefgh', 'Password123!', undefined]) {
    const { status, body } = await trySignUp(app, newcomer, { account: { ...person, password } })
    expect([status, Object.keys((body as unknown as FaultReply).fields ?? {})]).toEqual([400, ['account.password']])
  }
  expect(await app.emailsTo(newcomer.emailAddress)).toEqual([])
})

test('[REG-4] a sign-up without the captcha, or with a used one, is refused', async () => {
  const newcomer = { emailAddress: newEmailAddress(), companyName: 'Newcomers' }
  const recaptchaToken = await solveCaptcha(app)
  expect((await trySignUp(app, newcomer, { recaptchaToken })).status).toBe(201)
  for (const token of ['', recaptchaToken]) {
    const { status, body } = await trySignUp(app, newcomer, { recaptchaToken: token })
    expect([status, (body as unknown as FaultReply).code]).toEqual([422, 'captchaFailed'])
  }
})

test('while sign-up is switched off, sign-ups are refused', async () => {
  await setSetting(app, 'AllowSignUp', false)
  const { status, body } = await trySignUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' })
  expect([status, (body as unknown as FaultReply).code]).toEqual([403, 'signUpClosed'])
})

test('an abandoned sign-up is deleted after thirty days, one that waits for a decision is not', async () => {
  await signUp(app, { emailAddress: newEmailAddress(), companyName: 'Newcomers' })
  const waiting = newEmailAddress()
  await finalise(app, await signUp(app, { emailAddress: waiting, companyName: 'Newcomers' }), {
    organisation: { companyName: 'Newcomers' },
  })
  const left = () => app.store.across((db) => db.selectFrom('registration').select('emailAddress').execute())
  await deleteExpired(app.services)
  expect(await left()).toHaveLength(2)
  app.clock.advance(31 * 86_400_000)
  await deleteExpired(app.services)
  expect(await left()).toEqual([{ emailAddress: waiting }])
})

test('the log of a sign-up contains no person, no link and no code', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Newcomers' })
  await finalise(app, code, { organisation: { companyName: 'Newcomers' } })
  const log = app.logLines.join('')
  for (const text of [emailAddress, code, newPassword, 'Newcomer']) expect(log).not.toContain(text)
})

test('a name that a mail program would turn into a link, or with a line break, is refused and sent in no email', async () => {
  for (const firstName of [
    'Win at https://evil.example',
    'See www.evil.example',
    'Win at evil.example',
    'evil。example',
    'Nora\nGo on',
    'Nora\u202Eelpmaxe',
  ]) {
    const emailAddress = newEmailAddress()
    const account = { firstName, lastName: 'Newcomer', emailAddress, password: newPassword }
    const { status, body } = await trySignUp(app, { emailAddress, companyName: 'Newcomers' }, { account })
    expect([status, body]).toMatchObject([
      400,
      { fields: { 'account.firstName': expect.stringContaining('must be a name') } },
    ])
    expect(await app.emailsTo(emailAddress)).toEqual([])
  }
})

test('a password made of the applicant’s name, address or organisation is refused', async () => {
  const emailAddress = 'rosalind@newcomer.example'
  for (const password of ['Rosalind1!', 'newcomer-1', 'Franklins1']) {
    const account = { firstName: 'Rosalind', lastName: 'Newcomer', emailAddress, password }
    const { status, body } = await trySignUp(app, { emailAddress, companyName: 'Franklins' }, { account })
    expect([password, status, body]).toMatchObject([
      password,
      400,
      { fields: { 'account.password': expect.stringContaining('too close') } },
    ])
  }
})
