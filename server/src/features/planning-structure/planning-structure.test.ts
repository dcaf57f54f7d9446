import type { FaultReply } from '@tributary/contract/faults'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp

type TestCaller = keyof TestApp['as']

interface AnyRecord {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Id: string; readonly Name: string }
}

interface TestedKind {
  readonly name: string
  readonly path: string
  readonly statuses: readonly (keyof typeof statusIds)[]
  /** The least privileged role that may delete a record. */
  readonly deletes: TestCaller
}

const every = ['active', 'locked', 'archived'] as const
const two = ['active', 'archived'] as const
const kinds: readonly TestedKind[] = [
  { name: 'area', path: '/areas', statuses: two, deletes: 'superadmin' },
  { name: 'subarea', path: '/subareas', statuses: two, deletes: 'superadmin' },
  { name: 'version', path: '/versions', statuses: every, deletes: 'superadmin' },
  { name: 'helperTable', path: '/helperTables', statuses: every, deletes: 'superadmin' },
  { name: 'entity', path: '/entities', statuses: two, deletes: 'admin' },
]

async function add(kind: TestedKind, name: string, caller: TestCaller = 'admin') {
  return app.as[caller].send<AnyRecord & FaultReply>('POST', `/api${kind.path}`, { body: { name } })
}
async function change(kind: TestedKind, id: string, body: object, caller: TestCaller = 'admin') {
  return app.as[caller].send<AnyRecord & FaultReply>('POST', `/api${kind.path}/${id}`, { body })
}
async function list(kind: TestedKind, query = '', caller: TestCaller = 'user') {
  const { body, headers, status } = await app.as[caller].send<AnyRecord[]>('GET', `/api${kind.path}${query}`)
  return {
    status,
    names: Array.isArray(body) ? body.map(({ Name }) => Name) : [],
    total: headers['x-total-count'] === undefined ? null : Number(headers['x-total-count']),
  }
}
async function audited(id: string) {
  const rows = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('auditEvent').select(['action', 'detail']).where('objectId', '=', id).orderBy('id').execute(),
  )
  return rows.map(({ action, detail }) => [action, detail])
}

describe.each(kinds)('$name', (kind) => {
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test(`[API-1 POST ${kind.path}] [API-1 POST ${kind.path}/{id}] records are added, renamed and listed, and each change is in the audit log`, async () => {
    const added = await add(kind, '  Kitchen  ')
    expect([added.status, added.body.Name, added.body.Status]).toEqual([
      201,
      'Kitchen',
      { Id: statusIds.active, Name: 'active' },
    ])
    const { Id: id } = added.body
    const renamed = await change(kind, id, {
      name: 'Bar',
      statusId: statusIds.active,
      comOrganisationId: app.harbour.id,
    })
    expect([renamed.status, renamed.body.Name, renamed.body.Id]).toEqual([200, 'Bar', id])
    expect((await list(kind)).names).toEqual(['Bar'])
    const active = (name: string) => ({ name, status: 'active' })
    expect(await audited(id)).toEqual([
      ['structure.created', { after: active('Kitchen') }],
      ['structure.updated', { before: active('Kitchen'), after: active('Bar') }],
    ])
    expect((await change(kind, id, { name: 'Bar' })).status).toBe(200)
    expect(await audited(id)).toHaveLength(2)
  })

  test('[AREA-2] [FORM-2] a taken name is refused with statusCode and message, in upper or lower case, on adding and renaming', async () => {
    const [first, second] = [await add(kind, 'Taken'), await add(kind, 'Free')]
    for (const refused of [await add(kind, 'tAKEN'), await change(kind, second.body.Id, { name: 'TAKEN ' })]) {
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({
        statusCode: 409,
        code: 'nameTaken',
        message: expect.stringMatching(/the name taken\. Choose/iu),
      })
    }
    expect((await change(kind, first.body.Id, { name: 'TAKEN' })).body.Name).toBe('TAKEN')
    // The name is free in another organisation.
    expect((await add(kind, 'Taken', 'otherAdmin')).status).toBe(201)
  })

  test('[AREA-2] of a hundred concurrent requests to add the same name one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => add(kind, 'Popular')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'nameTaken')).toHaveLength(99)
    expect((await list(kind, '?search=popular')).names).toEqual(['Popular'])
  })

  test('[AREA-1] [FORM-3] the list can be sorted in natural order, searched, reversed and paginated', async () => {
    for (const name of ['Plan Week 10', 'plan week 2', 'Plan Week 1', 'Plan Älg', 'Plan_x', 'Plan 100%'])
      await add(kind, name)
    const sorted = ['Plan 100%', 'Plan Älg', 'Plan Week 1', 'plan week 2', 'Plan Week 10', 'Plan_x']
    expect((await list(kind, '?search=%20PLAN')).names).toEqual(sorted)
    expect((await list(kind, '?search=plan&sort=desc')).names).toEqual(sorted.toReversed())
    expect((await list(kind, '?search=ÄLG')).names).toEqual(['Plan Älg'])
    expect((await list(kind, '?search=_')).names).toEqual(['Plan_x'])
    expect((await list(kind, '?search=%25')).names).toEqual(['Plan 100%'])
    expect(await list(kind, '?search=plan&page=2&pageSize=4')).toEqual({
      status: 200,
      names: sorted.slice(4),
      total: 6,
    })
    expect(await list(kind, '?search=plan&page=9&pageSize=4')).toEqual({ status: 200, names: [], total: 6 })
    expect((await list(kind, '?search=plan')).total).toBeNull()
  })

  test(`[AREA-3] [ENT-3] [VER-2] [HELP-1] its statuses are ${kind.statuses.join(', ')}; archived ones are hidden by default and can be restored`, async () => {
    const { body } = await add(kind, 'Old one')
    for (const name of every) {
      const reply = await change(kind, body.Id, { statusId: statusIds[name] })
      if (kind.statuses.includes(name)) expect(reply.body.Status).toEqual({ Id: statusIds[name], Name: name })
      else expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([400, ['statusId']])
    }
    expect((await list(kind, '?search=old')).names).toEqual([])
    expect((await list(kind, '?search=old&archived=true')).names).toEqual(['Old one'])
    expect((await change(kind, body.Id, { statusId: app.harbour.id })).body.fields).toHaveProperty('statusId')
    await change(kind, body.Id, { statusId: statusIds.active })
    expect((await list(kind, '?search=old')).names).toEqual(['Old one'])
  })

  test(`[ROLE-3] [AREA-4] roles 0 to 2 add and edit records, 3 reads them, 4 cannot; ${kind.deletes} deletes them`, async () => {
    const { body } = await add(kind, 'Guarded')
    const roles = ['superadmin', 'provideradmin', 'admin', 'user', 'guest'] as const
    for (const [level, role] of roles.entries()) {
      const { status } = await change(kind, body.Id, { name: 'Guarded', comOrganisationId: app.harbour.id }, role)
      expect([role, status]).toEqual([role, level <= 2 ? 200 : 403])
      expect([role, (await list(kind, `?orgId=${app.harbour.id}`, role)).status]).toEqual([
        role,
        level <= 3 ? 200 : 403,
      ])
      if (level > 2) expect((await add(kind, `By ${role}`, role)).status).toBe(403)
    }
    const remove = (role: TestCaller) => app.as[role].send('DELETE', `/api${kind.path}/${body.Id}`)
    const refused = roles.slice(roles.indexOf(kind.deletes as 'admin') + 1)
    for (const role of refused) expect([role, (await remove(role)).status]).toEqual([role, 403])
    expect((await remove(kind.deletes)).status).toBe(204)
    expect((await remove(kind.deletes)).status).toBe(404)
    expect((await audited(body.Id)).at(-1)).toEqual([
      'structure.deleted',
      { before: { name: 'Guarded', status: 'active' } },
    ])
  })

  test('[API-1] [API-2] records of another organisation cannot be listed, added, changed or deleted', async () => {
    const { body } = await add(kind, 'Ours alone')
    expect((await list(kind, '?search=ours', 'otherAdmin')).names).toEqual([])
    expect((await list(kind, `?orgId=${app.harbour.id}`, 'otherAdmin')).status).toBe(404)
    expect((await change(kind, body.Id, { name: 'Theirs' }, 'otherAdmin')).status).toBe(404)
    expect(
      (await change(kind, body.Id, { name: 'Theirs', comOrganisationId: app.summit.id }, 'superadmin')).status,
    ).toBe(404)
    expect((await app.as.otherAdmin.send('DELETE', `/api${kind.path}/${body.Id}`)).status).toBe(404)
    const theirs = { body: { name: 'Pushed in', comOrganisationId: app.harbour.id } }
    expect((await app.as.otherAdmin.send('POST', `/api${kind.path}`, theirs)).status).toBe(404)
    expect((await list(kind, '?search=ours')).names).toEqual(['Ours alone'])
  })

  test('[API-1] a missing, empty or too long name is refused with its field', async () => {
    for (const name of [undefined, '   ', 'x'.repeat(201), 7]) {
      const { status, body } = await app.as.admin.send<FaultReply>('POST', `/api${kind.path}`, { body: { name } })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['name']])
    }
  })

  test('[AREA-3] concurrent status changes all succeed, one after the other', async () => {
    const { body } = await add(kind, 'Asked of by many')
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        change(kind, body.Id, { statusId: index % 2 === 0 ? statusIds.archived : statusIds.active }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  })
})
