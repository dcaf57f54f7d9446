import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testConsole } from '@tributary/testing/server/cli/admin-console.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'

test('[ASVS 16.3.1] every completed backup is in the provider’s audit log; a failed one is not', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tributary-audited-'))
  const [file, phrase] = [join(home, 'store.backup'), join(home, 'passphrase')]
  writeFileSync(phrase, randomBytes(24).toString('hex'))
  await using desk = await testConsole()
  expect(
    (await desk.run('backup', '--to', join(home, 'nowhere', 'store.backup'), '--passphrase-file', phrase)).code,
  ).not.toBe(0)
  expect(await findAuditEvents(desk.app.store, 'store.backed_up')).toEqual([])
  const made = await desk.run('backup', '--to', file, '--passphrase-file', phrase, '--json')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const { id } = await desk.app.store.across((db) => db.selectFrom('backup').select('id').executeTakeFirstOrThrow())
  const { madeAt, bytes, rows } = made.json<Record<'madeAt' | 'bytes' | 'rows', unknown>>()
  expect(await findAuditEvents(desk.app.store, 'store.backed_up')).toMatchObject([
    { actorId: null, organisationId: null, outcome: 'success', objectId: id, detail: { madeAt, bytes, rows } },
  ])
  rmSync(home, { recursive: true, force: true })
})
