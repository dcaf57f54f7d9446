import { organisations } from '@tributary/contract/organisations'
import { profile } from '@tributary/contract/profile'
import { signInRoutes, type SessionReply } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import type { FaultReply } from '@tributary/contract/faults'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, addressOf, bodyOf, insertThings } from '@tributary/testing/server/app/every-route.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_TEMPORARY_PASSWORDS: 'on' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const typed = 'typed-by-an-admin-7'
const chosen = 'chosen-by-myself-8'

async function addUser(
  firstName: string,
): Promise<{ readonly id: string; readonly client: TestClient; readonly emailAddress: string }> {
  const emailAddress = `${firstName.toLowerCase()}@harbour.example`
  const body = { firstName, lastName: 'Newby', emailAddress, password: typed, roleId: roleIdOf('admin') }
  const { body: made } = await app.as.admin.call(users.create, { body })
  return { id: made.Id, emailAddress, client: new TestClient(app.http, { emailAddress, password: typed }) }
}

const changeTo = (client: TestClient, password: string) =>
  client.call(profile.changePassword, { body: { currentPassword: typed, password } })

test('a password that an administrator typed opens nothing but the change of it, in every call there is', async () => {
  const { client } = await addUser('Tessa')
  expect((await client.signIn()).mustChangePassword).toBe(true)
  const things = await insertThings(app, app.harbour, app.idOf('user'))
  for (const named of everyRoute.filter(({ route }) => route.allow !== 'visitor')) {
    if (named.route.path === profile.changePassword.path) continue
    const { method, takes } = named.route
    const sent = takes === undefined ? bodyOf(named, things) : { body: 'as it is', headers: { 'content-type': takes } }
    const reply = await client.send<Partial<FaultReply>>(method, addressOf(named, things), sent)
    expect([named.name, reply.status, reply.body.code]).toEqual([named.name, 403, 'passwordTemporary'])
  }
  // Coming back does not help, and neither does signing in anew.
  expect((await client.refresh()).mustChangePassword).toBe(true)
  expect((await client.call(organisations.list)).status).toBe(403)
})

test('a password of one’s own opens the account at once, and is another than the one that was typed', async () => {
  const { client, emailAddress } = await addUser('Otto')
  expect((await changeTo(client, typed)).status).toBe(400)
  expect((await changeTo(client, chosen)).status).toBe(204)
  expect((await client.call(organisations.list)).status).toBe(200)
  expect((await client.refresh()).mustChangePassword).toBe(false)
  const again = await app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password: chosen } })
  expect((again.body as SessionReply).mustChangePassword).toBe(false)
})

test('a password that an administrator sets later is temporary, too', async () => {
  const { id, client, emailAddress } = await addUser('Ida')
  await changeTo(client, chosen)
  const password = 'typed-once-more-9'
  expect((await app.as.admin.call(users.update, { params: { userId: id }, body: { password } })).status).toBe(200)
  const again = new TestClient(app.http, { emailAddress, password })
  expect((await again.signIn()).mustChangePassword).toBe(true)
  expect((await again.call(organisations.list)).status).toBe(403)
})

test('in a trial, where everybody knows the passwords, none is temporary unless the operator says so', async () => {
  await using trial = await testApp()
  const body = {
    firstName: 'Tim',
    lastName: 'Trial',
    emailAddress: 'tim@harbour.example',
    password: typed,
    roleId: roleIdOf('user'),
  }
  expect((await trial.as.admin.call(users.create, { body })).status).toBe(201)
  const client = new TestClient(trial.http, { emailAddress: body.emailAddress, password: typed })
  expect((await client.call(organisations.list)).status).toBe(200)
  await using production = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  expect(production.services.config.temporaryPasswords).toBe(true)
})
