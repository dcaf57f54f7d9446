import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ana, everywhere, role } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const pending = {
  Id: '00000000-0000-4000-8000-000000000501',
  ApprovalType: 'JOIN_ORGANISATION',
  ApprovalStatus: 'PENDING',
  CreatedAtUtc: '2026-11-20T08:00:00Z',
  ApprovedAtUtc: null,
  ApprovedUser: null,
  RejectionReason: null,
  ApprovalContext: '{"Description":"Ana Ruiz wants to join Harbour Trading."}',
}

test('[ADMIN-8] a card shows its type in lowercase and the description; decided requests show the approver and no buttons, unknown states an icon', async () => {
  signedInAs()
  fakeServer({
    ...everywhere,
    'GET /approvals': () => [
      pending,
      {
        ...pending,
        Id: ana.Id,
        ApprovalStatus: 'APPROVED',
        ApprovedAtUtc: '2026-11-20T09:00:00Z',
        ApprovedUser: 'Amara Okafor',
      },
      { ...pending, Id: role.Id, ApprovalStatus: 'ON_HOLD', ApprovalContext: 'nonsense' },
    ],
  })
  renderApp('/admin/approvals')
  const [waiting, decided, other] = await screen.findAllByRole('article', { name: 'join organisation' })
  expect(waiting?.textContent).toContain('Ana Ruiz wants to join Harbour Trading.')
  expect(
    within(waiting as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Approve', 'Reject'])
  expect(decided?.textContent).toContain('by Amara Okafor')
  expect(within(decided as HTMLElement).queryAllByRole('button')).toEqual([])
  expect(other?.textContent).toContain('ON_HOLD')
  expect(within(other as HTMLElement).queryAllByRole('button')).toEqual([])
})

test('[ADMIN-8] a decision is confirmed on its card, and the card keeps its position although the server lists it last', async () => {
  signedInAs()
  const context = (name: string) =>
    JSON.stringify({
      Description: `${name} asks to join Harbour Trading.`,
      ApplicantName: name,
      CompanyName: 'Harbour Trading',
    })
  const first = { ...pending, ApprovalContext: context('Ana Ruiz') }
  const second = { ...pending, Id: ana.Id, ApprovalContext: context('Ben Cole') }
  const approved = {
    ...first,
    ApprovalStatus: 'APPROVED',
    ApprovedAtUtc: '2026-11-20T09:00:00Z',
    ApprovedUser: 'Amara Okafor',
  }
  const bodies: unknown[] = []
  let lists = 0
  fakeServer({
    ...everywhere,
    'GET /approvals': () => {
      lists += 1
      return bodies.length === 0 ? [first, second] : [second, approved]
    },
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return approved
    },
  })
  renderApp('/admin/approvals')
  const card = (index: number) => screen.getAllByRole('article')[index] as HTMLElement
  await screen.findAllByRole('article')

  await userEvent.dblClick(within(card(0)).getByRole('button', { name: 'Approve' }))
  expect(card(0).textContent).toContain('Approve Ana Ruiz for Harbour Trading?')
  await userEvent.click(within(card(0)).getByRole('button', { name: 'Cancel' }))
  expect(document.activeElement).toBe(within(card(0)).getByRole('button', { name: 'Approve' }))
  expect(bodies).toEqual([])

  await userEvent.click(within(card(0)).getByRole('button', { name: 'Approve' }))
  const before = lists
  await userEvent.click(within(card(0)).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(lists).toBeGreaterThan(before))
  await waitFor(() => expect(card(0).textContent).toMatch(/APPROVED .* by Amara Okafor/))
  expect(within(card(0)).queryAllByRole('button')).toEqual([])
  expect(card(1).textContent).toContain('Ben Cole')
  expect(bodies).toEqual([{ approvalId: first.Id, approvalStatus: 'APPROVED' }])
})

test('[ADMIN-9] the signed link of an email applies its decision exactly once; an unsigned one asks for confirmation', async () => {
  signedInAs()
  const bodies: unknown[] = []
  fakeServer({
    ...everywhere,
    'GET /approvals': () => [pending],
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return {
        ...pending,
        ApprovalStatus: 'APPROVED',
        ApprovedAtUtc: '2026-11-20T09:00:00Z',
        ApprovedUser: 'Amara Okafor',
      }
    },
  })
  const { address } = renderApp(`/admin/approvals/${pending.Id}?status=APPROVED&signature=s1`)
  await waitFor(() => expect(bodies).toEqual([{ approvalId: pending.Id, approvalStatus: 'APPROVED', signature: 's1' }]))
  await waitFor(() => expect(address()).toBe('/admin/approvals'))
  leave()

  signedInAs()
  renderApp(`/admin/approvals/${pending.Id}?status=REJECTED`)
  const dialog = await screen.findByRole('dialog', { name: 'Reject this request?' })
  expect(bodies).toHaveLength(1)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(bodies.at(-1)).toEqual({ approvalId: pending.Id, approvalStatus: 'REJECTED' }))
})

const waiting = (number: number, name: string) => ({
  ...pending,
  Id: `00000000-0000-4000-8000-00000000051${number}`,
  ApprovalContext: JSON.stringify({
    Description: `${name} asks to join Harbour Trading.`,
    ApplicantName: name,
    CompanyName: 'Harbour Trading',
  }),
})

test('[UX-APPROVALS-1] rejecting asks for an optional reason, which the card then shows', async () => {
  signedInAs()
  const bodies: unknown[] = []
  const request = waiting(1, 'Ana Ruiz')
  const rejected = {
    ...request,
    ApprovalStatus: 'REJECTED',
    ApprovedAtUtc: '2026-11-20T09:00:00Z',
    RejectionReason: 'Unknown to us',
  }
  fakeServer({
    ...everywhere,
    'GET /approvals': () => [bodies.length === 0 ? request : rejected],
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return rejected
    },
  })
  renderApp('/admin/approvals')
  await userEvent.click(await screen.findByRole('button', { name: 'Reject' }))
  const reason = screen.getByRole('textbox', { name: 'Reason (optional)' })
  expect(document.activeElement).toBe(reason)
  await userEvent.type(reason, 'Unknown to us')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByText('Reason: Unknown to us')
  expect(bodies).toEqual([{ approvalId: request.Id, approvalStatus: 'REJECTED', reason: 'Unknown to us' }])
})

test('[UX-APPROVALS-2] several requests are decided after one confirmation that lists them, without undo', async () => {
  signedInAs()
  const bodies: unknown[] = []
  const requests = [waiting(1, 'Ana Ruiz'), waiting(2, 'Ben Cole'), waiting(3, 'Cleo Dahl')]
  fakeServer({
    ...everywhere,
    'GET /approvals': () =>
      requests.map((request) => ({ ...request, ...(bodies.length === 2 && { ApprovalStatus: 'REJECTED' }) })),
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return pending
    },
  })
  renderApp('/admin/approvals')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select the request of Ana Ruiz' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select the request of Cleo Dahl' }))
  expect(screen.getByRole('group', { name: 'Pending requests' }).textContent).toContain('2 of 3 selected')
  await userEvent.click(screen.getByRole('button', { name: 'Reject selected' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reject 2 requests?' })
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Ana RuizAna Ruiz asks to join Harbour Trading.', 'Cleo DahlCleo Dahl asks to join Harbour Trading.'])
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason (optional)' }), 'Full')
  expect(bodies).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bodies).toEqual(
    [requests[0], requests[2]].map((request) => ({
      approvalId: request?.Id,
      approvalStatus: 'REJECTED',
      reason: 'Full',
    })),
  )
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('[UX-APPROVALS-2] a single pending request has nothing to select', async () => {
  signedInAs()
  fakeServer({ ...everywhere, 'GET /approvals': () => [waiting(1, 'Ana Ruiz')] })
  renderApp('/admin/approvals')
  await screen.findByRole('article')
  expect(screen.queryByRole('checkbox')).toBeNull()
})
