import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  anAddress,
  answer,
  codeOf,
  look,
  newPassword,
  signUp,
  trySignUp,
  turn,
} from '@tributary/testing/server/identity/sign-up-client.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
  await turn(app, 'RequireApproval', false)
})
afterEach(() => app[Symbol.asyncDispose]())

const own = 'quiet-river-77-stones'
const signIn = (emailAddress: string, password: string) => new TestClient(app.http, { emailAddress, password }).signIn()

test('confirming a sign-up that another person began needs a new password for the account', async () => {
  const emailAddress = anAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Mine Ltd' })
  // Only the other person's browser has the cookie; the owner of the address opens the link in another one.
  app.as.visitor.cookies.clear()
  expect(await look(app, code)).toMatchObject({ ChoosePassword: true, Invited: false, Finalised: false })
  const skipped = await answer(app, code, { organisation: { companyName: 'Mine Ltd' } })
  expect(skipped.body).toMatchObject({ ChoosePassword: true, Finalised: false })
  const weak = await answer(app, code, { account: { password: 'password1' } })
  expect([weak.status, (weak.body as unknown as FaultReply).fields]).toEqual([
    400,
    { 'account.password': expect.any(String) },
  ])
  const chosen = await answer(app, code, { account: { password: own } })
  expect(chosen.body).toMatchObject({ ChoosePassword: false, Finalised: false })
  expect((await answer(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    Finalised: true,
  })
  await expect(signIn(emailAddress, newPassword)).rejects.toThrow(/401/)
  expect((await signIn(emailAddress, own)).email).toBe(emailAddress)
})

test('the browser that began a sign-up continues with the password it sent, also after a second sign-up', async () => {
  const [first, second] = [anAddress(), anAddress()]
  const codes = [
    await signUp(app, { emailAddress: first, companyName: 'First Ltd' }),
    await signUp(app, { emailAddress: second, companyName: 'Second Ltd' }),
  ]
  for (const [at, emailAddress] of [first, second].entries()) {
    const code = codes[at] ?? ''
    expect(await look(app, code)).toMatchObject({ ChoosePassword: false })
    expect((await answer(app, code, { organisation: { companyName: `Firm ${at}` } })).body).toMatchObject({
      Finalised: true,
    })
    expect((await signIn(emailAddress, newPassword)).email).toBe(emailAddress)
  }
})

test('opening the link elsewhere, as a mail scanner does, changes nothing for the browser that began', async () => {
  const emailAddress = anAddress()
  const code = await signUp(app, { emailAddress, companyName: 'Mine Ltd' })
  const kept = new Map(app.as.visitor.cookies)
  app.as.visitor.cookies.clear()
  await look(app, code)
  for (const [name, value] of kept) app.as.visitor.cookies.set(name, value)
  expect((await answer(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    Finalised: true,
  })
  expect((await signIn(emailAddress, newPassword)).email).toBe(emailAddress)
})

test('a password chosen in another browser binds the sign-up to it: answers from any other are ignored', async () => {
  const emailAddress = anAddress()
  const { status } = await trySignUp(app, { emailAddress, companyName: 'Mine Ltd' })
  expect(status).toBe(201)
  const code = codeOf((await app.lettersTo(emailAddress)).at(-1)?.action?.url)
  const otherCookies = new Map(app.as.visitor.cookies)
  app.as.visitor.cookies.clear()
  await answer(app, code, { account: { password: own } })
  for (const [name, value] of otherCookies) app.as.visitor.cookies.set(name, value)
  expect((await answer(app, code, { organisation: { companyName: 'Mine Ltd' } })).body).toMatchObject({
    ChoosePassword: true,
    Finalised: false,
  })
})
