/** Personal data of a user, and what remains after their deletion, on the administrator's screens. */
import { readFile } from 'node:fs/promises'
import type { PersonalDataExport } from '@tributary/contract/privacy'
import { expectAccessible } from './accessible.ts'
import { makePerson, password } from './people.ts'
import { expect, test } from './portal.ts'

test('[ADMIN-4] an administrator exports the personal data of a user as one complete file', async ({
  page,
  portal,
  request,
}) => {
  const person = await makePerson(request, 'Exa')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('otherAdmin')
  await page.goto('/admin/security/users')
  const card = page.getByRole('article').filter({ hasText: person.emailAddress })
  await card.getByRole('button', { name: 'Export data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export the data of Exa Tester' })
  await expect(dialog).toContainText('All personal data of Exa Tester in Summit Foods')
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  const { Person, Tables, ...rest } = JSON.parse(await readFile(await download.path(), 'utf8')) as PersonalDataExport
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^tributary-data-of-${Person}-\\d{4}-\\d\\d-\\d\\d\\.json$`, 'u'),
  )
  expect(Tables['membership']).toEqual([expect.objectContaining({ user_id: Person })])
  expect(Object.keys(rest)).toEqual(['ExportedAtUtc'])
  await expect(dialog).toHaveCount(0)
})

test('[ADMIN-4] deleting a user shows what is deleted, what remains and until when; afterwards the user is a number', async ({
  page,
  portal,
  request,
}) => {
  const person = await makePerson(request, 'Era')
  await request.post('/api/auth/signin', { data: { emailAddress: person.emailAddress, password } })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('otherAdmin')
  await page.goto('/admin/security/users')
  const card = page.getByRole('article').filter({ hasText: person.emailAddress })
  await card.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Era Tester?' })
  await expect(dialog).toContainText(/until they expire: on \d+ \w+ \d{4} at the latest/u)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(card).toHaveCount(0)
  await page.goto('/admin/audit-log')
  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('Deleted user #')
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText(/Deleted user #\d+/u)
  await expect(page.getByRole('main')).not.toContainText(/\bEra\b/u)
})
