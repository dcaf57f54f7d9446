import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  newEmailAddress,
  finalise,
  codeOf,
  readFinalisation,
  newPassword,
  signUp,
  trySignUp,
  setSetting,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
  await setSetting(app, 'RequireApproval', false)
})
afterEach(() => app[Symbol.asyncDispose]())

const own = 'quiet-river-77-stones'
const signIn = (emailAddress: string, password: string) => new TestClient(app.http, { emailAddress, password }).signIn()

test('confirming a sign-up that another person began needs a new password for the account', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Mine Ltd' })
  // Only the other person's browser has the cookie; the owner of the address opens the link in another one.
  app.as.visitor.cookies.clear()
  expect(await readFinalisation(app, code)).toMatchObject({ ChoosePassword: true, Invited: false, Finalised: false })
  const skipped = await finalise(app, code, { organisation: { companyName: 'Mine Ltd' } })
  expect(skipped.body).toMatchObject({ ChoosePassword: true, Finalised: false })
  const weak = await finalise(app, code, { account: { password: 'password1' } })
  expect([weak.status, (weak.body as unknown as FaultReply).fields]).toEqual([
    400,
    { 'account.password': expect.any(String) },
  ])
  const chosen = await finalise(app, code, { account: { password: own } })
  expect(chosen.body).toMatchObject({ ChoosePassword: false, Finalised: false })
  expect((await finalise(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    Finalised: true,
  })
  await expect(signIn(emailAddress, newPassword)).rejects.toThrow(/401/)
  expect((await signIn(emailAddress, own)).email).toBe(emailAddress)
})

test('the browser that began a sign-up continues with the password it sent, also after a second sign-up', async () => {
  const [first, second] = [newEmailAddress(), newEmailAddress()]
  const codes = [
    await signUp(app, { emailAddress: first, companyName: 'First Ltd' }),
    await signUp(app, { emailAddress: second, companyName: 'Second Ltd' }),
  ]
  for (const [at, emailAddress] of [first, second].entries()) {
    const code = codes[at] ?? ''
    expect(await readFinalisation(app, code)).toMatchObject({ ChoosePassword: false })
    expect((await finalise(app, code, { organisation: { companyName: `Firm ${at}` } })).body).toMatchObject({
      Finalised: true,
    })
    expect((await signIn(emailAddress, newPassword)).email).toBe(emailAddress)
  }
})

test('opening the link elsewhere, as a mail scanner does, changes nothing for the browser that began', async () => {
  const emailAddress = newEmailAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Mine Ltd' })
  const kept = new Map(app.as.visitor.cookies)
  app.as.visitor.cookies.clear()
  await readFinalisation(app, code)
  for (const [name, value] of kept) app.as.visitor.cookies.set(name, value)
  expect((await finalise(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    Finalised: true,
  })
  expect((await signIn(emailAddress, newPassword)).email).toBe(emailAddress)
})

test('a password chosen in another browser binds the sign-up to it: answers from any other are ignored', async () => {
  const emailAddress = newEmailAddress()
  const { status } = await trySignUp(app, { emailAddress, companyName: 'Mine Ltd' })
  expect(status).toBe(201)
  const code = codeOf((await app.emailsTo(emailAddress)).at(-1)?.action?.url)
  const otherCookies = new Map(app.as.visitor.cookies)
  app.as.visitor.cookies.clear()
  await finalise(app, code, { account: { password: own } })
  for (const [name, value] of otherCookies) app.as.visitor.cookies.set(name, value)
  expect((await finalise(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    ChoosePassword: true,
    Finalised: false,
  })
})
