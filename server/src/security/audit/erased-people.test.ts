import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../../kernel/migrations/migrate.ts'
import { queryDatabase } from '@tributary/testing/server/app/database-dump.ts'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'

test('a person erased by an earlier version gets a number, and the remaining personal fields are deleted', async () => {
  const connection = await createEmptyDatabase()
  const former = readMigrations().filter(({ name }) => name < '0014')
  await migrate(connection, former)
  const [organisation, there, gone, earlier, load, slice, grant] = Array.from({ length: 7 }, () => randomUUID())
  const user = (...row: readonly (string | undefined)[]) =>
    `INSERT INTO portal_user (id, first_name, last_name, email_address, created_at) VALUES ('${row.join("', '")}');`
  const query = (text: string) => queryDatabase(connection, `SET tributary.organisation = '*'; ${text}`)
  await query(`INSERT INTO organisation (id, company_name, key) VALUES ('${organisation}', 'O', 'o');
    ${user(there, 'Still', 'There', 'still@there.example', '2026-01-01')}
    ${user(gone, 'Deleted', 'user', `deleted-${gone}@deleted.invalid`, '2026-03-01')}
    ${user(earlier, 'Deleted', 'user', `deleted-${earlier}@deleted.invalid`, '2026-02-01')}
    INSERT INTO load (id, organisation_id, record_name, table_name, user_id, source, workbook, sheet, first_row, first_column, columns)
      VALUES ('${load}', '${organisation}', 'r', 't', '${gone}', 'portal', 'w', 's', 1, 1, '{}');
    INSERT INTO load_slice (organisation_id, load_id, slice_id, entity, area, subarea, milestone, rows, former_rows, former_load_id, former_by, former)
      VALUES ('${organisation}', '${load}', '${slice}', 'e', 'a', 's', 'm', 1, 1, '${load}', 'canary@gone.example', '');
    INSERT INTO oauth_grant (id, type, client_id, person, email_address, name) VALUES ('${grant}', 'xero', 'c', 'p', 'canary@gone.example', 'Canary');
    INSERT INTO authorisation (organisation_id, user_id, session_id, type, state_hash, browser_hash, pkce_verifier, nonce, expires_at, grant_id)
      VALUES ('${organisation}', '${gone}', '${randomUUID()}', 'xero', '\\x01', '\\x01', 'v', 'n', now(), '${grant}')`)
  expect(await migrate(connection)).toEqual(readMigrations().flatMap(({ name }) => (name < '0014' ? [] : [name])))
  const people = await query('SELECT first_name, last_name, erased_number FROM portal_user ORDER BY created_at')
  expect(people.map((person) => Object.values(person))).toEqual([
    ['Still', 'There', null],
    ['Deleted', 'user #1', 1],
    ['Deleted', 'user #2', 2],
  ])
  expect(await query('SELECT former_by FROM load_slice')).toEqual([{ former_by: 'Deleted user #2' }])
  expect(await query('SELECT email_address, name, person, given_by FROM oauth_grant')).toEqual([
    { email_address: null, name: 'Deleted user #2', person: `deleted-${grant}`, given_by: gone },
  ])
})
