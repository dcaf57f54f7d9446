import { organisations } from '@tributary/contract/organisations'
import { profile } from '@tributary/contract/profile'
import { signInRoutes, type SessionReply } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import type { FaultReply } from '@tributary/contract/faults'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, addressOf, bodyOf, insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_TEMPORARY_PASSWORDS: 'on' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const setByAdmin = 'typed-by-an-admin-7'
const chosen = 'chosen-by-myself-8'

async function addUser(
  firstName: string,
): Promise<{ readonly id: string; readonly client: TestClient; readonly emailAddress: string }> {
  const emailAddress = `${firstName.toLowerCase()}@harbour.example`
  const body = { firstName, lastName: 'Newby', emailAddress, password: setByAdmin, roleId: roleIdOf('admin') }
  const { body: created } = await app.as.admin.call(users.create, { body })
  return { id: created.Id, emailAddress, client: new TestClient(app.http, { emailAddress, password: setByAdmin }) }
}

const changeTo = (client: TestClient, password: string) =>
  client.call(profile.changePassword, { body: { currentPassword: setByAdmin, password } })

test('a password set by an administrator allows only changing it, on every route', async () => {
  const { client } = await addUser('Tessa')
  expect((await client.signIn()).mustChangePassword).toBe(true)
  const things = await insertFixtures(app, app.harbour, app.idOf('user'))
  for (const named of everyRoute.filter(({ route }) => route.allow !== 'visitor')) {
    if (named.route.path === profile.changePassword.path) continue
    const { method, takes } = named.route
    const sent = takes === undefined ? bodyOf(named, things) : { body: 'as it is', headers: { 'content-type': takes } }
    const reply = await client.send<Partial<FaultReply>>(method, addressOf(named, things), sent)
    expect([named.name, reply.status, reply.body.code]).toEqual([named.name, 403, 'passwordTemporary'])
  }
  // Neither refreshing the session nor signing in again lifts the restriction.
  expect((await client.refresh()).mustChangePassword).toBe(true)
  expect((await client.call(organisations.list)).status).toBe(403)
})

test('changing the temporary password, to a different one, opens the account at once', async () => {
  const { client, emailAddress } = await addUser('Otto')
  expect((await changeTo(client, setByAdmin)).status).toBe(400)
  expect((await changeTo(client, chosen)).status).toBe(204)
  expect((await client.call(organisations.list)).status).toBe(200)
  expect((await client.refresh()).mustChangePassword).toBe(false)
  const again = await app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password: chosen } })
  expect((again.body as SessionReply).mustChangePassword).toBe(false)
})

test('a password that an administrator resets is temporary, too', async () => {
  const { id, client, emailAddress } = await addUser('Ida')
  await changeTo(client, chosen)
  const password = 'typed-once-more-9'
  expect((await app.as.admin.call(users.update, { params: { userId: id }, body: { password } })).status).toBe(200)
  const again = new TestClient(app.http, { emailAddress, password })
  expect((await again.signIn()).mustChangePassword).toBe(true)
  expect((await again.call(organisations.list)).status).toBe(403)
})

test('in a trial, whose passwords are public, none is temporary unless the operator enables it', async () => {
  await using trial = await testApp()
  const body = {
    firstName: 'Tim',
    lastName: 'Trial',
    emailAddress: 'tim@harbour.example',
    password: setByAdmin,
    roleId: roleIdOf('user'),
  }
  expect((await trial.as.admin.call(users.create, { body })).status).toBe(201)
  const client = new TestClient(trial.http, { emailAddress: body.emailAddress, password: setByAdmin })
  expect((await client.call(organisations.list)).status).toBe(200)
  await using production = await testApp({ env: { TRIBUTARY_MODE: 'production' } })
  expect(production.services.config.temporaryPasswords).toBe(true)
})
