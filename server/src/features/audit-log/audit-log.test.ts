import { randomUUID } from 'node:crypto'
import { auditLog } from '@tributary/contract/audit-log'
import { planningStructure } from '@tributary/contract/planning-structure'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import type { NewAuditEvent } from '../../security/audit/audit.ts'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
const gone = randomUUID()
beforeAll(async () => {
  app = await testApp()
  await app.as.admin.session()
  for (let number = 1; number <= 12; number += 1) {
    app.clock.advance(60_000)
    const outcome = number % 3 === 0 ? 'refused' : 'success'
    await record({
      action: `thing.step_${number}`,
      outcome,
      object: { type: 'thing', id: `thing-${number}` },
      detail: { number },
    })
  }
  await record({ organisationId: app.summit.id, action: 'thing.of_summit' })
  await record({ organisationId: null, action: 'thing.of_provider' })
})
afterAll(() => app[Symbol.asyncDispose]())

function record(
  event: Omit<Partial<NewAuditEvent>, 'action'> & { readonly action: string },
  actorId: string | null = app.idOf('admin'),
): Promise<void> {
  const whole = {
    organisationId: app.harbour.id,
    outcome: 'success',
    ...event,
    action: testAction(event.action),
  } as const
  const actor = { userId: actorId, role: 'admin', sessionId: null }
  const by = { ...systemAuditContext, actor, address: '203.0.113.7', reference: 'ref' }
  return app.store.across((db) => app.services.audit.record(db, by, whole))
}

const list = (query: Readonly<Record<string, string | number | boolean>> = {}, as = app.as.admin) =>
  as.call(auditLog.list, { query })
const stepsOf = (events: readonly { Action: string }[]) => events.map(({ Action }) => Action.replace('thing.step_', ''))

describe('the audit log', () => {
  test('[API-1 GET /audit-events] shows an administrator what happened in their organisation, newest first, and by whom', async () => {
    const { status, body, headers } = await list({ search: 'thing' })
    expect([status, headers['x-total-count']]).toEqual([200, '12'])
    expect(stepsOf(body)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3', '2', '1'])
    expect(body[0]).toEqual({
      Id: expect.any(Number),
      AtUtc: expect.stringMatching(/Z$/u),
      Action: 'thing.step_12',
      Outcome: 'refused',
      ActorId: app.idOf('admin'),
      Actor: 'Amara Okafor',
      ActorRole: 'admin',
      ObjectType: 'thing',
      ObjectId: 'thing-12',
      ObjectName: null,
      Address: '203.0.113.7',
      Reference: 'ref',
      Detail: { number: 12 },
    })
  })

  test('comes page by page, and tells how many there are', async () => {
    const { body, headers } = await list({ search: 'thing', page: 2, pageSize: 5 })
    expect([stepsOf(body), headers['x-total-count']]).toEqual([['7', '6', '5', '4', '3'], '12'])
  })

  test('is searched by action, actor and object, filtered by outcome and time, and text is taken for what it is', async () => {
    const total = async (query: Readonly<Record<string, string>>) => (await list(query)).headers['x-total-count']
    expect(await total({ search: 'thing-7' })).toBe('1')
    expect(await total({ search: 'okafor', action: 'thing.step_3' })).toBe('1')
    expect(await total({ search: 'berg', action: 'thing.step_3' })).toBe('0')
    expect(await total({ search: 'thing', outcome: 'refused' })).toBe('4')
    expect(await total({ search: 'step%1' })).toBe('0')
    expect(await total({ search: "thing' OR true --" })).toBe('0')
    const { body: events } = await list({ search: 'thing' })
    const [from, to] = [events[4]?.AtUtc ?? '', events[1]?.AtUtc ?? '']
    expect(stepsOf((await list({ search: 'thing', from, to })).body)).toEqual(['10', '9', '8'])
    expect((await list({ from: 'yesterday' })).status).toBe(400)
    // No clock on earth is that far from UTC, and the store knows none.
    expect((await list({ from: '2026-08-08T22:19:15+23:17' })).status).toBe(400)
    expect((await list({ from: '2026-08-08T22:19:15+14:00' })).status).toBe(200)
  })

  test('[UX-AUDIT-2] names the thing of an event: by the record, by its present name, or by another record once it is deleted', async () => {
    const { body: area } = await app.as.admin.call(planningStructure.addArea, { body: { name: 'Kitchen' } })
    const change = (name: string) =>
      app.as.admin.call(planningStructure.changeArea, { params: { areaId: area.Id }, body: { name } })
    await change('Galley')
    await record({ action: 'thing.of_area', object: { type: 'area', id: area.Id } })
    const nameOf = async (query: Readonly<Record<string, string>>) => (await list(query)).body[0]?.ObjectName
    const ofArea = { action: 'thing.of_area' }
    expect(await nameOf({ action: 'structure.created', objectId: area.Id })).toBe('Kitchen')
    expect(await nameOf(ofArea)).toBe('Galley')
    await app.as.superadmin.call(planningStructure.deleteArea, { params: { areaId: area.Id } })
    expect(await nameOf(ofArea)).toBe('Galley')
    await record({ action: 'thing.of_user', object: { type: 'user', id: app.idOf('user') } })
    expect(await nameOf({ action: 'thing.of_user' })).toBe('Ulla Berg')
    await record({ action: 'thing.of_nothing', object: { type: 'connector', id: gone } })
    await record({ action: 'thing.of_text', object: { type: 'connector', id: 'postgres' } })
    expect([await nameOf({ action: 'thing.of_nothing' }), await nameOf({ action: 'thing.of_text' })]).toEqual([
      null,
      null,
    ])
  })

  test('[UX-AUDIT-2] is searched by the name of the thing, also by one that it has no longer', async () => {
    const { body: area } = await app.as.admin.call(planningStructure.addArea, { body: { name: 'Cellar' } })
    await app.as.admin.call(planningStructure.changeArea, { params: { areaId: area.Id }, body: { name: 'Vault' } })
    await app.as.superadmin.call(planningStructure.deleteArea, { params: { areaId: area.Id } })
    const actions = async (search: string) => (await list({ search })).body.map(({ Action }) => Action)
    const all = ['structure.deleted', 'structure.updated', 'structure.created']
    expect([await actions('cellar'), await actions('VAULT'), await actions('cell_r')]).toEqual([all, all, []])
    expect((await list({ search: 'ulla berg', action: 'thing.of_user' })).body).toHaveLength(1)
  })

  test('[UX-AUDIT-3] is filtered by person, thing and action, also in the file', async () => {
    await record({ action: 'filter.one', object: { type: 'area', id: 'a' } }, app.idOf('user'))
    await record({ action: 'filter.two', object: { type: 'area', id: 'b' } })
    const actions = async (query: Readonly<Record<string, string>>) =>
      stepsOf((await list({ search: 'filter.', ...query })).body)
    expect(await actions({ actor: app.idOf('user') })).toEqual(['filter.one'])
    expect(await actions({ actor: app.idOf('admin'), objectType: 'area' })).toEqual(['filter.two'])
    expect(await actions({ objectType: 'area', objectId: 'a' })).toEqual(['filter.one'])
    expect(await actions({ objectType: 'version' })).toEqual([])
    expect(await actions({ action: 'filter.two' })).toEqual(['filter.two'])
    expect((await list({ actor: 'somebody' })).status).toBe(400)
    const file = await app.as.admin.call(auditLog.exportCsv, { query: { actor: app.idOf('user'), search: 'filter.' } })
    expect(String(file.body).split('\r\n')).toHaveLength(3)
  })

  test('[UX-AUDIT-3] events of the product itself and of the operator are filtered by who acted', async () => {
    const by = (role: string | null) =>
      app.store.across((db) =>
        app.services.audit.record(
          db,
          { ...systemAuditContext, actor: { userId: null, role, sessionId: null } },
          { organisationId: app.harbour.id, action: testAction(`own.${role ?? 'system'}`) },
        ),
      )
    await by(null)
    await by('operator')
    const actions = async (actor: string) => stepsOf((await list({ actor, search: 'own.' })).body)
    expect([await actions('system'), await actions('operator')]).toEqual([['own.system'], ['own.operator']])
  })

  test('names the id of an actor who is gone', async () => {
    await record({ action: 'ghost.seen' }, gone)
    expect((await list({ action: 'ghost.seen' })).body).toMatchObject([{ Actor: gone }])
  })

  test('never shows another organisation’s events, and the provider’s own to nobody else', async () => {
    expect((await list({ action: 'thing.of_summit' })).body).toEqual([])
    expect((await list({ orgId: app.summit.id })).status).toBe(404)
    expect((await list({ action: 'thing.of_summit' }, app.as.otherAdmin)).body).toHaveLength(1)
    expect((await list({ orgId: app.summit.id, action: 'thing.of_summit' }, app.as.provideradmin)).body).toHaveLength(1)
    expect((await list({ ofProvider: true, action: 'thing.of_provider' }, app.as.provideradmin)).body).toHaveLength(1)
    expect(await list({ ofProvider: true })).toMatchObject({ status: 403, body: { code: 'notAllowed' } })
    expect((await list({}, app.as.user)).status).toBe(403)
  })

  test('a superadmin of an installation without organisations reads the provider’s own events', async () => {
    await using empty = await testApp()
    await empty.store.across(async (db) => {
      await sql`UPDATE organisation SET archivedAt = now()`.execute(db)
    })
    expect((await empty.as.superadmin.session())?.organisationId).toBeNull()
    const { status, body } = await empty.as.superadmin.call(auditLog.list, { query: { ofProvider: true } })
    expect([status, Array.isArray(body)]).toEqual([200, true])
  })
})

describe('the audit log as a file', () => {
  const take = async (query: Readonly<Record<string, string | boolean>>, as = app.as.admin) => {
    const { status, body, headers } = await as.call(auditLog.exportCsv, { query })
    return { status, headers, text: body as unknown as string }
  }

  test('[API-1 GET /audit-events/export] holds all that the filter finds, for a spreadsheet', async () => {
    const { status, headers, text } = await take({ search: 'thing', outcome: 'refused' })
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const day = new Date(app.clock.now()).toISOString().slice(0, 10)
    expect(headers['content-disposition']).toBe(`attachment; filename="harbour-trading-audit-${day}.csv"`)
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFAtUtc,Action,Outcome,Actor,ActorRole,ObjectType,ObjectId,Address,Reference,Detail,Id')
    expect(lines[1]).toMatch(
      /^\S+Z,thing\.step_12,refused,Amara Okafor,admin,thing,thing-12,203\.0\.113\.7,ref,"\{""number"":12\}",\d+$/u,
    )
    expect([lines.length, lines.at(-1)]).toEqual([6, ''])
  })

  test('runs no formula that somebody put into a name', async () => {
    await record({ action: 'name.changed', object: { type: 'area', id: '=HYPERLINK("https://evil.example","x")' } })
    const { text } = await take({ action: 'name.changed' })
    expect(text).toContain(`,area,"'=HYPERLINK(""https://evil.example"",""x"")",`)
  })

  test('has every line of a long log once, in order', async () => {
    await app.store.across((db) =>
      sql`INSERT INTO auditEvent (organisationId, action, outcome, objectId, hash)
          SELECT ${app.harbour.id}, 'many.lines', 'success', n::text, '' FROM generate_series(1, 1700) n`.execute(db),
    )
    const { text } = await take({ action: 'many.lines' })
    const numbers = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[6]))
    expect(numbers).toEqual(Array.from({ length: 1700 }, (_, at) => 1700 - at))
  })

  test('is told to the log itself, and the provider’s own is the provider’s alone', async () => {
    await take({ search: 'thing', outcome: 'refused' })
    expect((await list({ action: 'data.export_downloaded' })).body[0]).toMatchObject({
      Actor: 'Amara Okafor',
      Detail: { search: 'thing', outcome: 'refused' },
    })
    expect((await take({ ofProvider: true })).status).toBe(403)
    const { headers, text } = await take({ ofProvider: true, search: 'thing' }, app.as.superadmin)
    expect(headers['content-disposition']).toContain('"provider-audit-')
    expect(text).toContain(',thing.of_provider,')
  })
})

test('a moment before anything could have happened, and one of endless digits, is refused with a sentence, as a list and as a file', async () => {
  for (const route of [auditLog.list, auditLog.exportCsv])
    for (const name of ['from', 'to'])
      for (const moment of ['0000-01-01T00:00:00Z', `2026-01-01T00:00:00.${'0'.repeat(150)}Z`]) {
        const reply = await app.as.admin.call(route, { query: { [name]: moment } })
        expect([reply.status, reply.body]).toMatchObject([400, { fields: { [name]: expect.any(String) } }])
      }
})
