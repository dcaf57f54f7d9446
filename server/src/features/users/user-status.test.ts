import { assignments } from '@tributary/contract/assignments'
import { organisations } from '@tributary/contract/organisations'
import { accounting } from '@tributary/contract/accounting'
import { users } from '@tributary/contract/users'
import { expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

test('every list of people shows who is archived and who is locked', async () => {
  await using app = await testApp()
  const { body: statuses } = await app.as.admin.call(organisations.statuses)
  const expected = new Map<string, string>()
  for (const status of ['active', 'locked', 'archived']) {
    const { id } = await addPerson(app, { [app.harbour.id]: 'user' })
    const statusId = statuses.find(({ Name }) => Name === status)?.Id ?? ''
    expect((await app.as.admin.call(users.update, { params: { userId: id }, body: { statusId } })).status).toBe(200)
    expected.set(id, status)
  }
  const query = { orgId: app.harbour.id }
  const lists = [
    (await app.as.admin.call(organisations.users, { query })).body,
    (await app.as.admin.call(assignments.assignees, { query })).body,
    (await app.as.admin.call(accounting.users, { query })).body,
  ]
  for (const list of lists) {
    const statusById = new Map(
      list.flatMap(({ Id, Status }) => (expected.has(Id) ? [[Id, Status?.Name] as const] : [])),
    )
    expect(statusById).toEqual(expected)
  }
})
