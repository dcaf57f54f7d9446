import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Finalisation } from '@tributary/contract/sign-up'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const open: Finalisation = {
  Finalised: false,
  FirstName: 'Mere',
  Provider: '',
  ApprovalId: null,
  ApprovalStatus: null,
  LinkOrganisation: false,
  LinkAccount: false,
  ChoosePassword: false,
  Invited: false,
  EmailAddress: 'mere@people.example',
  CompanyName: 'Mere Ltd',
}
const waiting: Finalisation = { ...open, ApprovalId: '00000000-0000-4000-8000-000000000501', ApprovalStatus: 'PENDING' }

function finalise(first: Finalisation, then: Finalisation = first) {
  const bodies: unknown[] = []
  fakeServer({
    'GET /registration/finalise': () => first,
    'POST /registration/finalise': ({ body }) => {
      bodies.push(body)
      return then
    },
  })
  return { bodies, ...renderApp('/signup/finalise?code=abc') }
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

test('[REG-8] the page shows that it is loading', async () => {
  fakeServer({ 'GET /registration/finalise': () => new Promise<Finalisation>(() => undefined) })
  renderApp('/signup/finalise?code=abc')
  expect(await screen.findByRole('status')).toBeTruthy()
})

test('[REG-8] a finalised sign-up leads to the sign-in page, with the provider and the name', async () => {
  const { address } = finalise({ ...open, Finalised: true, Provider: 'xero' })
  await heading('Welcome, Mere')
  expect(address()).toBe('/signin?registration=success&provider=xero&name=Mere')
})

test('[REG-8] [REG-9] a sign-up awaiting approval says so, and that it takes up to 24 hours', async () => {
  finalise(waiting)
  await heading('Your request is awaiting approval')
  expect(screen.getByRole('main').textContent).toContain('within 24 hours')
})

test.each([
  ['Yes', true],
  ['No', false],
] as const)('[REG-8] joining an organisation that exists is answered with %s', async (word, joinOrganisation) => {
  const { bodies } = finalise(
    { ...open, LinkOrganisation: true },
    joinOrganisation ? waiting : { ...open, CompanyName: '' },
  )
  await heading('Join Mere Ltd?')
  await userEvent.click(screen.getByRole('button', { name: word }))
  await heading(joinOrganisation ? 'Your request was submitted for approval' : 'Name your organisation')
  expect(bodies).toEqual([{ code: 'abc', joinOrganisation }])
})

test('[REG-8] an existing account is linked with its password; its address cannot be changed', async () => {
  const { bodies, address } = finalise({ ...open, LinkAccount: true }, { ...open, Finalised: true })
  await heading('Sign in to link your account')
  expect(screen.getByLabelText('Email')).toHaveProperty('readOnly', true)
  expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe('/reset-password')
  await userEvent.type(screen.getByLabelText('Password'), 'secret-1{Enter}')
  await waitFor(() => expect(address()).toContain('registration=success'))
  expect(bodies).toEqual([{ code: 'abc', account: { password: 'secret-1' } }])
})

test('[REG-8] the plain form asks for the organisation’s name', async () => {
  const { bodies } = finalise({ ...open, CompanyName: '' }, waiting)
  await heading('Name your organisation')
  await userEvent.type(screen.getByLabelText('Organisation name'), ' Mere Trading {Enter}')
  await heading('Your request was submitted for approval')
  expect(bodies).toEqual([{ code: 'abc', organisation: { companyName: 'Mere Trading' } }])
})

test('[UX-HOME-22] the name that was entered with the sign-up is sent once, without asking again', async () => {
  const { bodies } = finalise(open, waiting)
  await heading('Your request was submitted for approval')
  expect(screen.queryByLabelText('Organisation name')).toBeNull()
  expect(bodies).toEqual([{ code: 'abc', organisation: { companyName: 'Mere Ltd' } }])
})

test('[UX-HOME-22] a name that is refused is shown in the form with the reason', async () => {
  const bodies: unknown[] = []
  fakeServer({
    'GET /registration/finalise': () => open,
    'POST /registration/finalise': ({ body }) => {
      bodies.push(body)
      return bodies.length === 1 ? fault(409, 'nameTaken', '‘Mere Ltd’ is taken.') : waiting
    },
  })
  renderApp('/signup/finalise?code=abc')
  await heading('Name your organisation')
  expect((await screen.findByRole('alert')).textContent).toContain('‘Mere Ltd’ is taken.')
  const field = screen.getByLabelText('Organisation name')
  expect(field).toHaveProperty('value', 'Mere Ltd')
  await userEvent.type(field, ' 2{Enter}')
  await heading('Your request was submitted for approval')
  expect(bodies).toHaveLength(2)
})

test('[UX-HOME-21] after a sign-up the sign-in page knows the address, and asks for the password', async () => {
  const { address } = finalise({ ...open, Finalised: true })
  await heading('Welcome, Mere')
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'mere@people.example')
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(address()).not.toContain('people.example')
})

test('[REG-8] a sign-up continued in another browser requires a password first', async () => {
  const { bodies } = finalise({ ...open, ChoosePassword: true }, { ...open, CompanyName: '' })
  await heading('Choose a password')
  expect(screen.getByText(/^This sign-up was started in another browser/)).toBeDefined()
  await userEvent.type(screen.getByLabelText('Password'), 'quiet-river-77')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'quiet-river-77')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await heading('Name your organisation')
  expect(bodies).toEqual([{ code: 'abc', account: { password: 'quiet-river-77' } }])
})

test('a rejected request says so', async () => {
  finalise({ ...waiting, ApprovalStatus: 'REJECTED' })
  await heading('Your request was not approved')
})

test('an expired link says so, and how to continue', async () => {
  fakeServer({ 'GET /registration/finalise': () => fault(403, 'linkSpent', 'This link was used before.') })
  renderApp('/signup/finalise?code=abc')
  expect((await screen.findByRole('alert')).textContent).toContain('This link was used before.')
  expect(screen.getByRole('link', { name: 'Sign up again' })).toBeTruthy()
})
