/** Creates users on the users page for one journey. */
import type { Page } from '@playwright/test'
import { expect, type Portal } from './portal.ts'

/** Unique, because journeys run in parallel on one server. */
export function newUser(name: string): { firstName: string; lastName: string; email: string } {
  const mark = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
  return { firstName: name, lastName: `Test ${mark}`, email: `${name.toLowerCase()}.${mark}@demo.example` }
}

export async function openUsers(page: Page, portal: Portal, account: 'superadmin' | 'admin' = 'admin') {
  await portal.signIn(account)
  await page.goto('/admin/security/users')
  await expect(page.getByRole('article', { name: 'Ulla Berg' })).toBeVisible()
}

export async function addUser(page: Page, person: ReturnType<typeof newUser>, role = 'User') {
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await dialog.getByLabel('First name').fill(person.firstName)
  await dialog.getByLabel('Last name').fill(person.lastName)
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Role').selectOption({ label: role })
  await dialog.getByLabel('Password', { exact: true }).fill('a-good-one-77')
  await dialog.getByLabel('Confirm password').fill('a-good-one-77')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  return page.getByRole('article', { name: `${person.firstName} ${person.lastName}` })
}
