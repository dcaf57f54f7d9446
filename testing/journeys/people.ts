/** Creates users for one journey, so that journeys do not disturb each other, and reads their mail. */
import { createHmac, randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { Mail } from '@tributary/contract/mailbox'
import { fillSignIn, password as demoPassword } from './portal.ts'

export const password = 'lantern-over-42-harbours'

export interface Person {
  readonly firstName: string
  readonly emailAddress: string
}

/** Returns a unique name and address. */
export function newPerson(firstName: string): Person {
  return { firstName, emailAddress: `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@people.example` }
}

/** Calls the API without a browser; as one of the trial's accounts unless the password is given. */
export async function apiAs(request: APIRequestContext, emailAddress: string, secret = demoPassword) {
  const signedIn = await request.post('/api/auth/signin', { data: { emailAddress, password: secret } })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const headers = { authorization: `Bearer ${accessToken}` }
  const answerOf = async <Reply>(pending: ReturnType<APIRequestContext['get']>): Promise<Reply> => {
    const response = await pending
    expect(response.ok(), await response.text()).toBe(true)
    return (await response.json()) as Reply
  }
  return {
    headers,
    get: <Reply>(path: string) => answerOf<Reply>(request.get(`/api${path}`, { headers })),
    post: <Reply>(path: string, data: object) => answerOf<Reply>(request.post(`/api${path}`, { headers, data })),
  }
}

/** Creates a person of 'Summit Foods' with a password. */
export async function makePerson(
  request: APIRequestContext,
  firstName: string,
  role: 'admin' | 'user' = 'user',
): Promise<Person> {
  const person = newPerson(firstName)
  const admin = await apiAs(request, 'admin@other.example')
  await admin.post('/users', { ...person, lastName: 'Tester', password, roleId: await roleId(admin, role) })
  return person
}

export async function roleId({ get }: Awaited<ReturnType<typeof apiAs>>, role = 'user'): Promise<string> {
  const roles = await get<{ Id: string; Name: string }[]>('/roles')
  return roles.find(({ Name }) => Name === role)?.Id ?? ''
}

/** Waits for an email to the person with a matching subject, and returns the newest. */
export async function mailTo(request: APIRequestContext, { emailAddress }: Person, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined
  await expect(async () => {
    const mails = (await (await request.get('/api/mailbox')).json()) as Mail[]
    found = mails.find((mail) => mail.To === emailAddress && subject.test(mail.Subject))
    expect(found, `a mail to ${emailAddress} about ${subject}`).toBeDefined()
  }).toPass({ timeout: 15_000 })
  if (found === undefined) throw new Error('There is no such mail.')
  return found
}

export async function codeFor(request: APIRequestContext, person: Person, subject = /code/i): Promise<string> {
  return /^ {4}(\d{6})$/m.exec((await mailTo(request, person, subject)).Text)?.[1] ?? 'no code'
}

/** Returns the address of the email's button without the host. */
export async function linkFor(request: APIRequestContext, person: Person, subject: RegExp): Promise<string> {
  const { pathname, search } = new URL(
    /:\n(https?:\/\/\S+)/.exec((await mailTo(request, person, subject)).Text)?.[1] ?? '',
  )
  return `${pathname}${search}`
}

/** Signs in as the administrator of a new organisation, which no other journey changes. */
export async function signInToNewOrganisation(page: Page, request: APIRequestContext): Promise<Person> {
  const person = newPerson('Nia')
  await acceptAndSignIn(page, await inviteAdministrator(request, person))
  return person
}

/** Invites the administrator of a new organisation. Returns the link of the invitation. */
async function inviteAdministrator(request: APIRequestContext, person: Person): Promise<string> {
  const provider = await apiAs(request, 'provideradmin@demo.example')
  // Behind the trial's organisations in the alphabet, because the provider begins in the first.
  const companyName = `Planning ${randomUUID().slice(0, 8)}`
  const { Id } = await provider.post<{ Id: string }>('/organisations', { companyName })
  const roles = await provider.get<{ Id: string; Name: string }[]>('/roles')
  const roleId = roles.find(({ Name }) => Name === 'admin')?.Id
  await provider.post('/invitations', { ...person, lastName: 'Planner', roleId, organisationId: Id })
  return await linkFor(request, person, /invite/i)
}

async function acceptAndSignIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.waitForURL('**/signin?registration=success**')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
}

/** Enters address and password and submits, without waiting for a page. */
export async function enterPassword(page: Page, { emailAddress }: Person, secret = password): Promise<void> {
  await page.goto('/signin')
  await fillSignIn(page, emailAddress, secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  // Waits for the navigation, because no other page may be requested before it.
  await page.waitForURL((url) => url.pathname === '/' && url.search === '')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
}

/** The TOTP code of a base 32 secret at a time (RFC 6238). */
export function appCode(secret: string, atMs: number): string {
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => alphabet.indexOf(letter.toUpperCase()).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const value = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff
  return String(value % 1_000_000).padStart(6, '0')
}
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
