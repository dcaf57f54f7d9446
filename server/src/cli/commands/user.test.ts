import { auditLog } from '@tributary/contract/audit-log'
import { organisations } from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPassword } from '@tributary/testing/server/identity/sign-up-client.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { trialPassword } from '../../trial/people.ts'
import { testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole()
})
afterAll(() => console[Symbol.asyncDispose]())

const signIn = (emailAddress: string, password: string) =>
  console.app.as.visitor.send<{ readonly role?: string }>('POST', '/api/auth/signin', {
    body: { emailAddress, password },
  })
const setPassword = (link: string, password: string) =>
  console.app.as.visitor.send('POST', '/api/reset-password', { body: { token: link.split('/').at(-1), password } })
const named = (...names: readonly string[]) => ['--first-name', names[0] ?? '', '--last-name', names[1] ?? '']

interface CreatedUserOutput {
  readonly id: string
  readonly link: string
}

describe('tributary user', () => {
  test('create prints a one-time link with which the new user sets the password; the audit log names the operator', async () => {
    const done = await console.run(
      'user',
      'create',
      'ada@example.com',
      ...named('Ada', 'Lee'),
      '--role',
      'admin',
      '--organisation',
      'summit-foods',
      '--json',
    )
    expect(done).toMatchObject({ code: 0, stderr: '' })
    const { link, id } = done.json<CreatedUserOutput>()
    expect(link).toMatch(/^https:\/\/tributary\.example\.com\/set-password\/redeem\//u)
    expect((await setPassword(link, newPassword)).status).toBe(200)
    expect((await setPassword(link, newPassword)).status).toBe(403)
    expect((await signIn('ada@example.com', newPassword)).body).toMatchObject({ role: 'admin' })

    const events = await console.app.as.otherAdmin.call(auditLog.list, {
      query: { orgId: console.app.summit.id, action: 'user.created' },
    })
    expect(events.body).toMatchObject([{ Actor: null, ActorRole: 'operator', ObjectId: id, Outcome: 'success' }])
    expect(JSON.stringify(events.body)).not.toContain(link.split('/').at(-1))
  })

  test('create --mail mails the link and does not print it; a superadmin needs no organisation', async () => {
    const done = await console.run(
      'user',
      'create',
      'sam@example.com',
      ...named('Sam', 'Fox'),
      '--role',
      'superadmin',
      '--mail',
      '--json',
    )
    expect(done.json<{ link: string | null }>().link).toBeNull()
    const [letter] = await console.app.emailsTo('sam@example.com')
    expect((await setPassword(letter?.action?.url ?? '', newPassword)).status).toBe(200)
    expect((await signIn('sam@example.com', newPassword)).body).toMatchObject({ role: 'superadmin' })
  })

  test('create refuses a taken address, a missing, unknown or archived organisation, and creates no account', async () => {
    const create = (email: string, ...more: readonly string[]) =>
      console.run('user', 'create', email, ...named('No', 'Body'), '--json', ...more)
    const codes = await Promise.all([
      create('ADMIN@demo.example', '--role', 'superadmin'),
      create('nobody@example.com', '--role', 'guest'),
      create('nobody@example.com', '--role', 'guest', '--organisation', 'nowhere'),
      create('not an address', '--role', 'superadmin'),
    ])
    expect(codes.map((ended) => [ended.code, ended.json<{ error: { code: string } }>().error.code])).toEqual([
      [1, 'addressTaken'],
      [1, 'organisationNeeded'],
      [1, 'noOrganisation'],
      [1, 'badInput'],
    ])
    await console.run('organisation', 'archive', 'summit-foods')
    const late = await console.run(
      'user',
      'create',
      'nobody@example.com',
      ...named('No', 'Body'),
      '--role',
      'guest',
      '--organisation',
      'summit-foods',
    )
    expect(late).toMatchObject({
      code: 1,
      stderr: 'This organisation is archived. Bring it back before you change anything in it.\n',
    })
    await console.run('organisation', 'restore', 'summit-foods')
    expect((await console.run('user', 'list')).stdout).not.toContain('nobody@example.com')
  })

  test('reset signs the user out, invalidates the password, removes the second factor on request, and offers a new password', async () => {
    const { app } = console
    await app.as.guest.signIn()
    const userId = app.idOf('guest')
    // Across, here and below: a factor belongs to a person.
    await app.store.across((db) =>
      db
        .insertInto('recoveryCode')
        .values({ userId, codeHash: Buffer.alloc(32) })
        .execute(),
    )
    const done = await console.run('user', 'reset', 'guest@demo.example', '--second-factor')
    expect(
      await app.store.across((db) =>
        db.selectFrom('recoveryCode').select('userId').where('userId', '=', userId).execute(),
      ),
    ).toEqual([])
    expect(done.code).toBe(0)
    app.clock.advance(6_000)
    expect((await app.as.guest.call(organisations.list)).status).toBe(401)
    expect((await signIn('guest@demo.example', trialPassword)).status).toBe(401)
    const link = /https:\S+/u.exec(done.stdout)?.[0] ?? ''
    expect((await setPassword(link, newPassword)).status).toBe(200)
    expect((await signIn('guest@demo.example', newPassword)).status).toBe(200)
    expect((await app.emailsTo('guest@demo.example')).map(({ template }) => template)).toContain('account-changed')
  })

  test('lock and unlock work, except for the last superadmin and an organisation’s last administrator', async () => {
    const { app } = console
    expect(await console.run('user', 'lock', 'user@demo.example')).toMatchObject({
      code: 0,
      stdout: 'The account of user@demo.example is locked.\n',
    })
    expect((await signIn('user@demo.example', trialPassword)).status).toBe(401)
    const reset = await console.run('user', 'reset', 'user@demo.example', '--json')
    expect(reset.json()).toMatchObject({ error: { code: 'notActive' } })
    await console.run('user', 'unlock', 'user@demo.example')
    expect((await signIn('user@demo.example', trialPassword)).status).toBe(200)

    const lockLast = await console.run('user', 'lock', 'admin@demo.example')
    expect(lockLast).toMatchObject({
      code: 1,
      stderr: 'This is the last one with that role. Give the role to another person first.\n',
    })
    await console.run('user', 'lock', 'sam@example.com')
    expect((await console.run('user', 'lock', 'superadmin@demo.example', '--json')).json()).toMatchObject({
      error: { code: 'lastAdmin' },
    })
    const events = await app.as.superadmin.call(auditLog.list, {
      query: { orgId: app.harbour.id, action: 'user.locked' },
    })
    expect(events.body).toMatchObject([{ ActorRole: 'operator' }])
    // For a user who is not locked, unlock lifts the throttling after wrong passwords.
    await console.run('user', 'unlock', 'user@demo.example')
    const unlocked = { actorId: null, outcome: 'success', objectId: app.idOf('user') }
    expect(await findAuditEvents(app.store, 'authn.login_unlock')).toContainEqual(expect.objectContaining(unlocked))
  })

  test('list shows all users, or one organisation’s members, as a table and as one JSON document', async () => {
    const everyone = (await console.run('user', 'list', '--json')).json<
      readonly { emailAddress: string; roles: readonly string[] }[]
    >()
    expect(everyone.find(({ emailAddress }) => emailAddress === 'superadmin@demo.example')?.roles).toEqual([
      'superadmin',
      'harbour-trading: admin',
    ])
    const members = await console.run('user', 'list', '--organisation', 'summit-foods')
    expect(members.stdout).toContain('admin@other.example')
    expect(members.stdout).not.toContain('demo.example')
  })
})

test('an account that the operator created can be changed in the portal like any other', async () => {
  const { app } = console
  await console.run(
    'user',
    'create',
    'eve@example.com',
    ...named('Eve', 'Day'),
    '--role',
    'guest',
    '--organisation',
    'harbour-trading',
  )
  const list = await app.as.admin.call(organisations.users, { query: { orgId: app.harbour.id } })
  const eve = list.body.find(({ EmailAddress }) => EmailAddress === 'eve@example.com')
  const changed = await app.as.admin.call(users.update, {
    params: { userId: eve?.Id ?? '' },
    query: { orgId: app.harbour.id },
    body: { firstName: 'Eva' },
  })
  expect(changed.body).toMatchObject({ FirstName: 'Eva' })
})
