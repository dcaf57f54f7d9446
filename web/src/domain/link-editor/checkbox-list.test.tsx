import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CallReply } from '@tributary/contract/calls'
import { afterEach, expect, test } from 'vitest'
import { openManage, postgres, press, webShop } from '@tributary/testing/web/manage-page.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

type MemberReply = CallReply<'GET /users'>[number]

const person = (at: number, FirstName: string, status: string): MemberReply => ({
  Id: `00000000-0000-4000-8000-00000000070${at}`,
  FirstName,
  LastName: 'Kingi',
  EmailAddress: `${FirstName.toLowerCase()}@people.example`,
  Role: { Id: '00000000-0000-4000-8000-000000000001', Name: 'user' },
  Status: { Name: status },
  StatusId: '00000000-0000-4000-8000-000000000001',
  RequireMultiFactorAuthentication: false,
  LastSignInAtUtc: null,
  MS_Oid: null,
  Groups: [],
  HelperTables: [],
  B2SEntities: [],
  Xero2SqlProducts: [],
})
const people = [person(1, 'Mere', 'active'), person(2, 'Tane', 'archived'), person(3, 'Aroha', 'locked')]
const shown = {
  ...webShop,
  Properties: [{ Name: 'portal.user', Value: people.map(({ Id }) => Id).join(' '), ClientConnectorId: webShop.Id }],
}

const details = (inside: HTMLElement) =>
  within(inside)
    .getAllByText(/@people\.example$/)
    .map(({ textContent }) => textContent)
const marked = ['mere@people.example', 'Archived · tane@people.example', 'Locked · aroha@people.example']

test('archived and locked users are labelled where a connector’s users are selected', async () => {
  signedInAs()
  openManage([shown], { 'GET /users': () => people })
  await press('Manage users')
  const dialog = await screen.findByRole('dialog', { name: 'Manage users' })
  await within(dialog).findByText('Archived · tane@people.example')
  expect(details(dialog)).toEqual(marked)
})

test('archived and locked users are labelled where recipients of alerts are selected', async () => {
  signedInAs()
  openManage([shown], { 'GET /users': () => people })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('Mails go to')
  const [, ofAlerts] = within(dialog).getAllByRole('radio', { name: 'Only those chosen' })
  await userEvent.click(ofAlerts ?? dialog)
  await within(dialog).findByText('Archived · tane@people.example')
  expect(details(dialog)).toEqual(marked)
})

test('archived and locked users are labelled on a card', async () => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connectors': () => [shown],
    'GET /users': () => people,
  })
  renderApp('/connectors/postgres/refresh')
  const stack = await screen.findByRole('list', { name: 'People who see Web shop' })
  expect(
    within(stack)
      .getAllByRole('img')
      .map((one) => one.getAttribute('aria-label')),
  ).toEqual(['Mere Kingi', 'Tane Kingi (archived)', 'Aroha Kingi (locked)'])
})
