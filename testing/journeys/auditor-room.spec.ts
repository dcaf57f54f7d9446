/** Auditor rooms: an administrator opens one, the outsider reads in it, and it ends. */
import type { APIRequestContext, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { codeFor, enterPassword, linkFor, logOut, newPerson, password, type Person } from './people.ts'
import { expect, test } from './portal.ts'

test('[GATE-1] [TRUST-14] /admin/security/auditor-rooms and /auditor-room: an outsider is invited, reads one calm page, and is out after the end; both pages have no accessibility violation', async ({
  page,
  portal,
  request,
}) => {
  test.slow()
  portal.expectFailedCalls()
  const avery = newPerson('Avery')
  await portal.signIn('admin', '/admin/security/auditor-rooms')
  await openRoom(page, avery)
  await expectAccessible(page)
  await logOut(page)

  await acceptRoom(page, request, avery)
  await page.waitForURL('**/auditor-room')
  for (const section of [
    'Tie-outs',
    'Verification',
    'Closed-period changes',
    'Marked as reported',
    'Certificates',
    'Tables',
    'Audit log',
  ])
    await expect(page.getByRole('heading', { name: section })).toBeVisible()
  await expect(page.getByText('What you open and download is recorded for them.')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('table', { name: 'Tables of the room' }).getByRole('link').first().click()
  await expect(page.getByRole('grid')).toBeVisible()
  await logOut(page)

  await portal.signIn('admin', '/admin/security/auditor-rooms')
  const entry = page.getByRole('listitem').filter({ hasText: avery.emailAddress })
  await expect(entry).toContainText('Last looked')
  await entry.getByRole('button', { name: 'Looks of Avery Auditor' }).click()
  await expect(page.getByRole('dialog').getByRole('table', { name: 'Looks, latest first' })).toContainText('Tables')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await entry.getByRole('button', { name: 'End now: the room of Avery Auditor' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await expect(entry).toContainText('Ended')
})

async function openRoom(page: Page, { emailAddress }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Open a room' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open an auditor room' })
  await dialog.getByLabel('First name').fill('Avery')
  await dialog.getByLabel('Last name').fill('Auditor')
  await dialog.getByLabel('Email address').fill(emailAddress)
  await expect(dialog.getByRole('button', { name: 'Invite' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Harbour Trading', exact: true }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: emailAddress })).toContainText('Invited, not accepted yet')
}

async function acceptRoom(page: Page, request: APIRequestContext, person: Person): Promise<void> {
  await page.goto(await linkFor(request, person, /invite/i))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.waitForURL('**/signin?registration=success**')
  await enterPassword(page, person)
  await page.getByLabel('Verification code').fill(await codeFor(request, person))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}
